func.func @f(%a: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = tpp.group {
    %0 = tpp.relu(%a : tensor<4x5xf32>) -> tensor<4x5xf32>
    tpp.yield %a : tensor<4x5xf32>
  }
  return %r : tensor<4x5xf32>
}

// error[E0860]: `%a` is no value of the group that yields it
//  --> group_that_yields_an_argument.tpp:4:15
//   |
// 4 |     tpp.yield %a : tensor<4x5xf32>
//   |               ^^
