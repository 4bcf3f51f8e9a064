func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  tpp.leaky_relu [alpha = 0.1] ins(%a) outs(%b)
  return
}

// error[E0859]: brackets have the names of operations, and `alpha` is a number
//  --> number_in_brackets.tpp:2:27
//   |
// 2 |   tpp.leaky_relu [alpha = 0.1] ins(%a) outs(%b)
//   |                           ^^^ `{alpha = 0.1}` says it
