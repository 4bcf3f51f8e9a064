func.func @f(%0: tensor<8x16xf32>, %1: tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32> {
  %p = tensor.pack %0 inner_dims_pos = [0, 1] inner_tiles = [0, 4] into %1 : tensor<8x16xf32> -> tensor<2x4x4x4xf32>
  return %p : tensor<2x4x4x4xf32>
}

// error[E0855]: tiles are at least 1, not 0
//  --> tiles_of_no_entries.tpp:2:3
//   |
// 2 |   %p = tensor.pack %0 inner_dims_pos = [0, 1] inner_tiles = [0, 4] into %1 : tensor<8x16xf32> -> tensor<2x4x4x4xf32>
//   |   ^^^^^^^^^^^^^^^^
