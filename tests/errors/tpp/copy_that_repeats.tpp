func.func @f(%a: memref<5xf32>, %c: memref<4x5xf32>) {
  tpp.copy ins(%a) outs(%c) : (memref<5xf32>, memref<4x5xf32>)
  return
}

// error[E0853]: `tpp.copy` repeats nothing: its operands have one shape
//  --> copy_that_repeats.tpp:2:3
//   |
// 2 |   tpp.copy ins(%a) outs(%c) : (memref<5xf32>, memref<4x5xf32>)
//   |   ^^^^^^^^     --       -- `%c` is `memref<4x5xf32>`
//   |                |
//   |                `%a` is `memref<5xf32>`
//   |
//   = note: `tpp.broadcast` repeats rows, columns and numbers
