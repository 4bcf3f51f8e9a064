func.func @f(%0: memref<2x4xf32>, %1: memref<2xf32>) {
  tpp.broadcast ins(%0) outs(%1)
  tpp.reduce_max ins(%1) outs(%0)
  return
}

// error[E0854]: `tpp.broadcast` takes a number, a row (N or 1 x N) or a column (M x 1) to all places of an M x N matrix
//  --> broadcast_to_a_vector.tpp:2:3
//   |
// 2 |   tpp.broadcast ins(%0) outs(%1)
//   |   ^^^^^^^^^^^^^     --       -- `%1` is `memref<2xf32>`
//   |                     |
//   |                     `%0` is `memref<2x4xf32>`
//   |
//   = note: `tpp.reduce_add` goes the other way
//
// error[E0854]: `tpp.reduce_max` takes a number, a row (N or 1 x N) or a column (M x 1) from an M x N matrix
//  --> broadcast_to_a_vector.tpp:3:3
//   |
// 3 |   tpp.reduce_max ins(%1) outs(%0)
//   |   ^^^^^^^^^^^^^^     --       -- `%0` is `memref<2x4xf32>`
//   |                      |
//   |                      `%1` is `memref<2xf32>`
//   |
//   = note: `tpp.broadcast` goes the other way
