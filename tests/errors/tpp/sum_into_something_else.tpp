func.func @f(%a: memref<4x5xf32>, %b: memref<5x6xf32>, %c: memref<4x6xf32>, %d: memref<4x6xf32>) {
  tpp.matmul ins(%a, %b, %c) outs(%d) : (memref<4x5xf32>, memref<5x6xf32>, memref<4x6xf32>, memref<4x6xf32>)
  return
}

// error[E0857]: `tpp.matmul` adds to `%c`, and writes `%d`
//  --> sum_into_something_else.tpp:2:35
//   |
// 2 |   tpp.matmul ins(%a, %b, %c) outs(%d) : (memref<4x5xf32>, memref<5x6xf32>, memref<4x6xf32>, memref<4x6xf32>)
//   |                                   ^^
//   |
//   = note: the output is the third input
