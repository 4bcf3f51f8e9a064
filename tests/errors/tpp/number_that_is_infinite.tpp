func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  tpp.elu ins(%a) outs(%b) {alpha = 1.0e+400}
  return
}

// error[E0859]: `alpha` of `tpp.elu` is a finite number
//  --> number_that_is_infinite.tpp:2:37
//   |
// 2 |   tpp.elu ins(%a) outs(%b) {alpha = 1.0e+400}
//   |                                     ^^^^^^^^
