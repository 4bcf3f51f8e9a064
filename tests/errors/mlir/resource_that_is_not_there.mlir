func.func @f(%a: tensor<3xf32>) -> tensor<3xf32> {
  %b = arith.constant dense_resource<weights> : tensor<3xf32>
  %r = linalg.add ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%a : tensor<3xf32>) -> tensor<3xf32>
  return %r : tensor<3xf32>
}

// error[E0806]: there is no resource `weights` in the text
//  --> resource_that_is_not_there.mlir:2:23
//   |
// 2 |   %b = arith.constant dense_resource<weights> : tensor<3xf32>
//   |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `{-# dialect_resources: … #-}`
