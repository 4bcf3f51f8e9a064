func.func @f(%0: tensor<4x2xf32>) -> f32 {
  %1 = tpp.reduce_max ins(%0) : (tensor<4x2xf32>) -> f32
  return %1 : f32
}

// error[E0850]: `%1` is a number, and `tpp.reduce_max` writes matrices
//  --> result_that_is_a_number.tpp:2:3
//   |
// 2 |   %1 = tpp.reduce_max ins(%0) : (tensor<4x2xf32>) -> f32
//   |   ^^
//   |
//   = note: `tensor<f32>` is for one number
