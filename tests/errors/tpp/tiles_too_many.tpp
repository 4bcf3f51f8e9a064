func.func @f(%a: tensor<8192x4xf32>) -> tensor<8192x4x1xf32> {
  %e = tensor.empty() : tensor<8192x4x1xf32>
  %p = tensor.pack %a inner_dims_pos = [0] inner_tiles = [1] into %e : tensor<8192x4xf32> -> tensor<8192x4x1xf32>
  return %p : tensor<8192x4x1xf32>
}

// error[E0826]: packing has 8192 tiles, more than 4096
//  --> tiles_too_many.tpp:3:3
//   |
// 3 |   %p = tensor.pack %a inner_dims_pos = [0] inner_tiles = [1] into %e : tensor<8192x4xf32> -> tensor<8192x4x1xf32>
//   |   ^^^^^^^^^^^^^^^^
