func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<5x4xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0812]: `%a` is of type `tensor<4x5xf64>`, not `tensor<5x4xf64>`
//  --> types_that_differ.mlir:2:35
//   |
// 1 | func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
//   |              -- defined here
// 2 |   %r = linalg.matmul ins(%a, %b : tensor<5x4xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
//   |                                   ^^^^^^^^^^^^^^^
