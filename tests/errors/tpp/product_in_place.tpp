func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  tpp.matmul ins(%a, %b) outs(%a) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>)
  return
}

// error[E0858]: `tpp.matmul` reads `%a` at other places than it writes it
//  --> product_in_place.tpp:2:31
//   |
// 2 |   tpp.matmul ins(%a, %b) outs(%a) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>)
//   |                  --           ^^
//   |                  |
//   |                  read here
