func.func @f(%a: tensor<10x4xf32>, %c: tensor<2x2x4x2xf32>) -> tensor<2x2x4x2xf32> {
  %r = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %c : tensor<10x4xf32> -> tensor<2x2x4x2xf32>
  return %r : tensor<2x2x4x2xf32>
}

// error[E0855]: the modes that are cut are whole tiles, of known sizes
//  --> tiles_that_do_not_divide.tpp:2:3
//   |
// 2 |   %r = tensor.pack %a inner_dims_pos = [0, 1] inner_tiles = [4, 2] into %c : tensor<10x4xf32> -> tensor<2x2x4x2xf32>
//   |   ^^^^^^^^^^^^^^^^ --                                                   -- `%c` is `tensor<2x2x4x2xf32>`
//   |                    |
//   |                    `%a` is `tensor<10x4xf32>`
