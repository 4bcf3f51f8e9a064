func.func @f(%a: memref<2x4x5xf32>, %b: memref<2x5x6xf32>, %c: memref<4x6xf32>, %d: memref<4x6xf32>) {
  tpp.fused_brgemm [unary = softmax] ins(%a, %b, %c, %d) outs(%c)
      : (memref<2x4x5xf32>, memref<2x5x6xf32>, memref<4x6xf32>, memref<4x6xf32>)
  return
}

// error[E0859]: `unary` of `tpp.fused_brgemm` is none of square, sqrt, negate, reciprocal, exp, relu, tanh, sigmoid, gelu, leaky_relu, elu
//  --> unknown_operation_of_a_product.tpp:2:3
//   |
// 2 |   tpp.fused_brgemm [unary = softmax] ins(%a, %b, %c, %d) outs(%c)
//   |   ^^^^^^^^^^^^^^^^
//   |
//   = note: it is `softmax`
