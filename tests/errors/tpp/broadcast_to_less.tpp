func.func @f(%a: memref<2x4xf32>, %c: memref<4xf32>) {
  tpp.broadcast ins(%a) outs(%c) : (memref<2x4xf32>, memref<4xf32>)
  return
}

// error[E0854]: `tpp.broadcast` makes a shape larger
//  --> broadcast_to_less.tpp:2:3
//   |
// 2 |   tpp.broadcast ins(%a) outs(%c) : (memref<2x4xf32>, memref<4xf32>)
//   |   ^^^^^^^^^^^^^     --       -- `%c` is `memref<4xf32>`
//   |                     |
//   |                     `%a` is `memref<2x4xf32>`
//   |
//   = note: `tpp.reduce_add` goes the other way
