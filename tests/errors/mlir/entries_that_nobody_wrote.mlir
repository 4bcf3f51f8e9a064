func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %e = tensor.empty() : tensor<4x6xf64>
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0829]: entries of `%e` are read, and nobody has written them
//  --> entries_that_nobody_wrote.mlir:3:3
//   |
// 3 |   %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%e : tensor<4x6xf64>) -> tensor<4x6xf64>
//   |   ^^^^^^^^^^^^^^^^^^
//   |
//   = note: `linalg.fill` writes them, and so does `tpp.zero`
