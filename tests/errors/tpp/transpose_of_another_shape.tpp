func.func @f(%a: memref<2x4xf32>, %c: memref<2x4xf32>) {
  tpp.transpose ins(%a) outs(%c) : (memref<2x4xf32>, memref<2x4xf32>)
  return
}

// error[E0855]: `tpp.transpose` makes an N x M matrix of an M x N one
//  --> transpose_of_another_shape.tpp:2:3
//   |
// 2 |   tpp.transpose ins(%a) outs(%c) : (memref<2x4xf32>, memref<2x4xf32>)
//   |   ^^^^^^^^^^^^^     --       -- `%c` is `memref<2x4xf32>`
//   |                     |
//   |                     `%a` is `memref<2x4xf32>`
