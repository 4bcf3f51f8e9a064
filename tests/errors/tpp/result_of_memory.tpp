func.func @f(%a: memref<4x5xf32>, %c: memref<4x5xf32>) {
  %r = tpp.exp ins(%a) outs(%c) : memref<4x5xf32> -> memref<4x5xf32>
  return
}

// error[E0850]: `tpp.exp` writes its outputs, and has no result
//  --> result_of_memory.tpp:2:3
//   |
// 2 |   %r = tpp.exp ins(%a) outs(%c) : memref<4x5xf32> -> memref<4x5xf32>
//   |   ^^
