func.func @f(%a: memref<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.zero ins(%a : memref<4x5xf32>) outs(%c : memref<4x5xf32>)
  return
}

// error[E0857]: `tpp.zero` writes `%c`, and names `%a`
//  --> zero_of_another_matrix.tpp:2:3
//   |
// 2 |   tpp.zero ins(%a : memref<4x5xf32>) outs(%c : memref<4x5xf32>)
//   |   ^^^^^^^^
//   |
//   = note: it works in place, or has no input
