func.func @f(%x: tensor<12xf64>) -> tensor<3x5xf64> {
  %r = tensor.expand_shape %x [[0, 1]] output_shape [3, 5] : tensor<12xf64> into tensor<3x5xf64>
  return %r : tensor<3x5xf64>
}

// error[E0822]: mode 0 of `%x` has 12 positions, and its group has 3·5 = 15
//  --> group_of_another_size.mlir:2:3
//   |
// 2 |   %r = tensor.expand_shape %x [[0, 1]] output_shape [3, 5] : tensor<12xf64> into tensor<3x5xf64>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
