func.func @f(%a: memref<8x4xf32>) {
  %0 = memref.subview %a[0, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1]>>
  %1 = memref.subview %a[2, 0] [4, 4] [1, 1] : memref<8x4xf32> to memref<4x4xf32, strided<[4, 1], offset: 8>>
  tpp.exp ins(%0) outs(%1) : memref<4x4xf32, strided<[4, 1]>> -> memref<4x4xf32, strided<[4, 1], offset: 8>>
  return
}

// error[E0858]: `%1` and `%0` are views of one memory, which `tpp.exp` reads and writes
//  --> views_that_overlap.tpp:4:24
//   |
// 4 |   tpp.exp ins(%0) outs(%1) : memref<4x4xf32, strided<[4, 1]>> -> memref<4x4xf32, strided<[4, 1], offset: 8>>
//   |               --       ^^
//   |               |
//   |               read here
