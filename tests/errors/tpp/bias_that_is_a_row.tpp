func.func @f(%a: memref<2x4x5xf32>, %b: memref<2x5x6xf32>, %c: memref<4x6xf32>, %d: memref<6xf32>) {
  tpp.fused_brgemm [unary = relu, binary = add] ins(%a, %b, %c, %d) outs(%c)
      : (memref<2x4x5xf32>, memref<2x5x6xf32>, memref<4x6xf32>, memref<6xf32>)
  return
}

// error[E0856]: `tpp.fused_brgemm` adds matrices of the shape of its result
//  --> bias_that_is_a_row.tpp:2:3
//   |
// 2 |   tpp.fused_brgemm [unary = relu, binary = add] ins(%a, %b, %c, %d) outs(%c)
//   |   ^^^^^^^^^^^^^^^^                                              --       -- `%c` is `memref<4x6xf32>`
//   |                                                                 |
//   |                                                                 `%d` is `memref<6xf32>`
//   |
//   = note: `tpp.broadcast` makes a bias a matrix
