func.func @f(%a: memref<3xf32>, %c: memref<2x4xf32>) {
  tpp.broadcast ins(%a) outs(%c) : (memref<3xf32>, memref<2x4xf32>)
  return
}

// error[E0854]: `tpp.broadcast` takes a number, a row (N or 1 x N) or a column (M x 1) to all places of an M x N matrix
//  --> broadcast_of_another_length.tpp:2:3
//   |
// 2 |   tpp.broadcast ins(%a) outs(%c) : (memref<3xf32>, memref<2x4xf32>)
//   |   ^^^^^^^^^^^^^     --       -- `%c` is `memref<2x4xf32>`
//   |                     |
//   |                     `%a` is `memref<3xf32>`
