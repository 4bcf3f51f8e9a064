func.func @f(%0: tensor<4xf32>) -> tensor<?x4xf32> {
  %1 = tpp.broadcast ins(%0) : (tensor<4xf32>) -> tensor<?x4xf32>
  return %1 : tensor<?x4xf32>
}

// error[E0854]: `tpp.broadcast` makes a tensor of a size that nothing tells
//  --> broadcast_to_any_size.tpp:2:3
//   |
// 2 |   %1 = tpp.broadcast ins(%0) : (tensor<4xf32>) -> tensor<?x4xf32>
//   |   -- `%1` is `tensor<?x4xf32>`
