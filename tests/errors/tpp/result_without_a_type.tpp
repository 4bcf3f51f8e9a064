func.func @f(%a: tensor<4xf32>) -> tensor<3x4xf32> {
  %r = tpp.broadcast(%a : tensor<4xf32>)
  return %r : tensor<3x4xf32>
}

// error[E0850]: `tpp.broadcast` on tensors says the type of its result
//  --> result_without_a_type.tpp:2:8
//   |
// 2 |   %r = tpp.broadcast(%a : tensor<4xf32>)
//   |        ^^^^^^^^^^^^^ `-> tensor<…>` is missing
