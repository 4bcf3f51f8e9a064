func.func @f(%a: memref<4xf32>, %c: memref<2x4xf32>) {
  tpp.reduce_max ins(%a) outs(%c) : (memref<4xf32>, memref<2x4xf32>)
  return
}

// error[E0854]: `tpp.reduce_max` makes a shape smaller
//  --> reduction_to_more.tpp:2:3
//   |
// 2 |   tpp.reduce_max ins(%a) outs(%c) : (memref<4xf32>, memref<2x4xf32>)
//   |   ^^^^^^^^^^^^^^     --       -- `%c` is `memref<2x4xf32>`
//   |                      |
//   |                      `%a` is `memref<4xf32>`
//   |
//   = note: `tpp.broadcast` goes the other way
