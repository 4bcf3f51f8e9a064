func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmull ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0802]: the operation `linalg.matmull` is not read
//  --> unknown_operation.mlir:2:8
//   |
// 2 |   %r = linalg.matmull ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
//   |        ^^^^^^^^^^^^^^
//   |
//   = note: `linalg.matmul` has a similar name
