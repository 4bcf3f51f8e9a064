func.func @f(%a: f32, %b: memref<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.reduce_add ins(%a) outs(%c) : (f32, memref<4x5xf32>)
  return
}

// error[E0850]: `%a` is a number, and `tpp.reduce_add` takes matrices
//  --> number_as_a_matrix.tpp:2:22
//   |
// 2 |   tpp.reduce_add ins(%a) outs(%c) : (f32, memref<4x5xf32>)
//   |                      ^^
//   |
//   = note: `tpp.broadcast` makes a matrix of a number
