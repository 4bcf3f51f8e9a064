func.func @f(%a: memref<4x5xf32>, %b: memref<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.add ins(%a, %b) outs(%c) : memref<4x5xf32>
  return
}

// error[E0813]: `tpp.add` has 3 operands and 1 types
//  --> two_types_too_few.tpp:2:32
//   |
// 2 |   tpp.add ins(%a, %b) outs(%c) : memref<4x5xf32>
//   |                                ^
