func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %s = linalg.copy ins(%r : tensor<4x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0810]: `%r` is used before it is defined
//  --> used_before_it_is_defined.mlir:2:24
//   |
// 2 |   %s = linalg.copy ins(%r : tensor<4x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
//   |                        ^^
