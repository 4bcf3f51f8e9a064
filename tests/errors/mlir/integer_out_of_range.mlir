func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  %n = arith.constant 99999999999999999999 : i64
  return %r : tensor<4x6xf64>
}

// error[E0804]: integer `99999999999999999999` is out of range
//  --> integer_out_of_range.mlir:3:23
//   |
// 3 |   %n = arith.constant 99999999999999999999 : i64
//   |                       ^^^^^^^^^^^^^^^^^^^^ not in [-2^63, 2^63-1]
