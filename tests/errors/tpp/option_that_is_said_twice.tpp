func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  tpp.leaky_relu {alpha = 1, alpha = 3} ins(%a) outs(%b)
  tpp.elu {alpha = 1} ins(%a) outs(%b) {alpha = 2}
  tpp.fused_brgemm [binary = mul, unary = relu, unary = exp] ins(%a, %a, %a, %b) outs(%a)
  return
}

// error[E0806]: `alpha` is said twice
//  --> option_that_is_said_twice.tpp:2:38
//   |
// 2 |   tpp.leaky_relu {alpha = 1, alpha = 3} ins(%a) outs(%b)
//   |                                      ^
//
// error[E0806]: `alpha` is said twice
//  --> option_that_is_said_twice.tpp:3:49
//   |
// 3 |   tpp.elu {alpha = 1} ins(%a) outs(%b) {alpha = 2}
//   |                                                 ^
//
// error[E0806]: `unary` is said twice
//  --> option_that_is_said_twice.tpp:4:57
//   |
// 4 |   tpp.fused_brgemm [binary = mul, unary = relu, unary = exp] ins(%a, %a, %a, %b) outs(%a)
//   |                                                         ^^^
