func.func @f(%a: tensor<2x4xf32>) -> tensor<4x2xf32> {
  %c = tensor.collapse_shape %a [[0, 1]] : tensor<2x4xf32> into tensor<8xf32>
  %e = tensor.empty() : tensor<4x2xf32>
  %p = tensor.pack %c inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<8xf32> -> tensor<4x2xf32>
  return %p : tensor<4x2xf32>
}

// error[E0826]: mode 0 of `%c` is put together of several modes, and cut into tiles
//  --> tiles_of_a_mode_of_parts.tpp:4:3
//   |
// 4 |   %p = tensor.pack %c inner_dims_pos = [0] inner_tiles = [2] into %e : tensor<8xf32> -> tensor<4x2xf32>
//   |   ^^^^^^^^^^^^^^^^
