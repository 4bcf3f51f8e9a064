func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = tensor.expand_shape %a [[0, 1, 2]] output_shape [4, 6] : tensor<4x5xf64> into tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0822]: the groups [[0, 1, 2]] are not the 2 modes of `%r` in order, one group for each mode of `%a`
//  --> groups_that_do_not_fit.mlir:2:3
//   |
// 2 |   %r = tensor.expand_shape %a [[0, 1, 2]] output_shape [4, 6] : tensor<4x5xf64> into tensor<4x6xf64>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
