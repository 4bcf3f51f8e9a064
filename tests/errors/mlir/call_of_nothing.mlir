func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  func.call @g(%r) : (tensor<4x6xf64>) -> ()
  return %r : tensor<4x6xf64>
}

// error[E0825]: there is no function `g`
//  --> call_of_nothing.mlir:3:3
//   |
// 3 |   func.call @g(%r) : (tensor<4x6xf64>) -> ()
//   |   ^^^^^^^^^^^^
