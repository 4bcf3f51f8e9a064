func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = tensor.extract_slice %b[0, 0] [3, 6] [1, 1] : tensor<5x6xf64> to tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0821]: a slice of sizes 3x6 of `tensor<5x6xf64>` is no `tensor<4x6xf64>`
//  --> slice_of_another_type.mlir:2:3
//   |
// 2 |   %r = tensor.extract_slice %b[0, 0] [3, 6] [1, 1] : tensor<5x6xf64> to tensor<4x6xf64>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
