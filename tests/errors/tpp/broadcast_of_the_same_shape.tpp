func.func @f(%a: memref<2x4xf32>, %c: memref<2x4xf32>) {
  tpp.broadcast ins(%a) outs(%c) : (memref<2x4xf32>, memref<2x4xf32>)
  return
}

// error[E0854]: `tpp.broadcast` changes the shape
//  --> broadcast_of_the_same_shape.tpp:2:3
//   |
// 2 |   tpp.broadcast ins(%a) outs(%c) : (memref<2x4xf32>, memref<2x4xf32>)
//   |   ^^^^^^^^^^^^^     --       -- `%c` is `memref<2x4xf32>`
//   |                     |
//   |                     `%a` is `memref<2x4xf32>`
//   |
//   = note: `tpp.copy` keeps it
