func.func @f(%a: memref<4x4xf32>) {
  tpp.transpose ins(%a) outs(%a) : memref<4x4xf32> -> memref<4x4xf32>
  return
}

// error[E0858]: `tpp.transpose` reads `%a` at other places than it writes it
//  --> transpose_in_place.tpp:2:30
//   |
// 2 |   tpp.transpose ins(%a) outs(%a) : memref<4x4xf32> -> memref<4x4xf32>
//   |                     --       ^^
//   |                     |
//   |                     read here
