func.func @f(%a: memref<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.add ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf32>)
  return
}

// error[E0850]: `tpp.add` has 2 inputs on memrefs, not 1
//  --> inputs_of_two_numbers.tpp:2:3
//   |
// 2 |   tpp.add ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf32>)
//   |   ^^^^^^^
