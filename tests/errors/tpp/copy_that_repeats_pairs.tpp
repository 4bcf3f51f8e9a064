func.func @f(%a: memref<2x5xf32>, %c: memref<4x5xf32>) {
  tpp.copy ins(%a) outs(%c) : (memref<2x5xf32>, memref<4x5xf32>)
  return
}

// error[E0853]: an operand of `tpp.copy` has the shape of what is written, or is repeated in it
//  --> copy_that_repeats_pairs.tpp:2:3
//   |
// 2 |   tpp.copy ins(%a) outs(%c) : (memref<2x5xf32>, memref<4x5xf32>)
//   |   ^^^^^^^^     --       -- `%c` is `memref<4x5xf32>`
//   |                |
//   |                `%a` is `memref<2x5xf32>`
//   |
//   = note: numbers, rows (N or 1 x N) and columns (M x 1) are repeated, as by `tpp.broadcast`
