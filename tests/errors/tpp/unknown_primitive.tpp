func.func @f(%a: memref<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.reluu ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf32>)
  return
}

// error[E0802]: the operation `tpp.reluu` is not read
//  --> unknown_primitive.tpp:2:3
//   |
// 2 |   tpp.reluu ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf32>)
//   |   ^^^^^^^^^
//   |
//   = note: `tpp.relu` has a similar name
