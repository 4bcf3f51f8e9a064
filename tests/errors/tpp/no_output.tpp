func.func @f(%a: memref<4x5xf32>, %b: memref<4x5xf32>) {
  tpp.add ins(%a, %b) : (memref<4x5xf32>, memref<4x5xf32>)
  return
}

// error[E0850]: `tpp.add` on memrefs writes an output
//  --> no_output.tpp:2:3
//   |
// 2 |   tpp.add ins(%a, %b) : (memref<4x5xf32>, memref<4x5xf32>)
//   |   ^^^^^^^ `outs(…)` is missing
