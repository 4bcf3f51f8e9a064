func.func @f(%a: memref<4x5xf32>, %c: memref<4x5xf64>) {
  tpp.copy ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf64>)
  return
}

// error[E0852]: the operands of `tpp.copy` have numbers of `f32` and `f64`
//  --> two_types_of_numbers.tpp:2:3
//   |
// 2 |   tpp.copy ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf64>)
//   |   ^^^^^^^^
