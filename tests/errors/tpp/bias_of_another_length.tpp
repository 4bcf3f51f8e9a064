func.func @f(%a: memref<2x4x5xf32>, %b: memref<2x5x6xf32>, %c: memref<4x6xf32>, %d: memref<5xf32>) {
  tpp.fused_brgemm [unary = relu, binary = add] ins(%a, %b, %c, %d) outs(%c)
      : (memref<2x4x5xf32>, memref<2x5x6xf32>, memref<4x6xf32>, memref<5xf32>)
  return
}

// error[E0856]: `tpp.fused_brgemm` adds matrices of the shape of its result
//  --> bias_of_another_length.tpp:2:3
//   |
// 2 |   tpp.fused_brgemm [unary = relu, binary = add] ins(%a, %b, %c, %d) outs(%c)
//   |   ^^^^^^^^^^^^^^^^                                              --       -- `%c` is `memref<4x6xf32>`
//   |                                                                 |
//   |                                                                 `%d` is `memref<5xf32>`
//   |
//   = note: a bias may be a number, a row (N or 1 x N) or a column (M x 1)
