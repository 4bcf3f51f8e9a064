func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = tensor.extract_slice %b[2, 0] [4, 6] [1, 1] : tensor<5x6xf64> to tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0821]: mode 0 of `%b` has 5 positions, and the slice takes 2 to 5
//  --> slice_that_leaves_its_tensor.mlir:2:3
//   |
// 2 |   %r = tensor.extract_slice %b[2, 0] [4, 6] [1, 1] : tensor<5x6xf64> to tensor<4x6xf64>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
