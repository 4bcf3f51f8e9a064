func.func @f(%a: f32, %b: memref<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.mul ins(%a, %b) outs(%c) : (f32, memref<4x5xf32>, memref<4x5xf32>)
  return
}

// error[E0850]: `%a` is a number, and `tpp.mul` takes matrices
//  --> number_as_a_matrix.tpp:2:15
//   |
// 2 |   tpp.mul ins(%a, %b) outs(%c) : (f32, memref<4x5xf32>, memref<4x5xf32>)
//   |               ^^
//   |
//   = note: `tpp.broadcast` makes a matrix of a number
