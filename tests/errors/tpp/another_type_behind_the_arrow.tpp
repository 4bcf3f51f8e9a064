func.func @f(%a: memref<4x5xf32>, %c: memref<5x4xf32>) {
  tpp.transpose ins(%a) outs(%c) : memref<4x5xf32> -> memref<4x5xf32>
  return
}

// error[E0812]: the types behind `->` are not those of the outputs of `tpp.transpose`
//  --> another_type_behind_the_arrow.tpp:2:3
//   |
// 2 |   tpp.transpose ins(%a) outs(%c) : memref<4x5xf32> -> memref<4x5xf32>
//   |   ^^^^^^^^^^^^^
