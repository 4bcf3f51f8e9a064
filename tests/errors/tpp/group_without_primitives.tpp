func.func @f(%a: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = tpp.group {
    %0 = tensor.empty() : tensor<4x5xf32>
    tpp.yield %0 : tensor<4x5xf32>
  }
  return %r : tensor<4x5xf32>
}

// error[E0860]: a group without primitives has nothing to put together
//  --> group_without_primitives.tpp:2:3
//   |
// 2 |   %r = tpp.group {
//   |   ^^^^^^^^^^^^^^
