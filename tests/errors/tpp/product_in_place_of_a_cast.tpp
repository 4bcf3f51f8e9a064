func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  %0 = memref.cast %a : memref<4x4xf32> to memref<?x4xf32>
  tpp.matmul ins(%a, %b) outs(%0)
  return
}

// error[E0858]: `%0` and `%a` are views of one memory, which `tpp.matmul` reads and writes
//  --> product_in_place_of_a_cast.tpp:3:31
//   |
// 3 |   tpp.matmul ins(%a, %b) outs(%0)
//   |                  --           ^^
//   |                  |
//   |                  read here
