func.func @f(%a: memref<4x5xf32>, %b: memref<4x6xf32>, %c: memref<4x6xf32>) {
  tpp.matmul ins(%a, %b) outs(%c) : (memref<4x5xf32>, memref<4x6xf32>, memref<4x6xf32>)
  return
}

// error[E0856]: `tpp.matmul` multiplies M x K by K x N, which gives M x N
//  --> matrices_that_do_not_fit.tpp:2:3
//   |
// 2 |   tpp.matmul ins(%a, %b) outs(%c) : (memref<4x5xf32>, memref<4x6xf32>, memref<4x6xf32>)
//   |   ^^^^^^^^^^     --  --       -- `%c` is `memref<4x6xf32>`
//   |                  |   |
//   |                  |   `%b` is `memref<4x6xf32>`
//   |                  `%a` is `memref<4x5xf32>`
