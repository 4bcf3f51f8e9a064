func.func @f(%a: tensor<4x5x6xf32>, %c: tensor<5xf32>) -> tensor<5xf32> {
  %r = linalg.reduce { arith.addf } ins(%a : tensor<4x5x6xf32>) outs(%c : tensor<5xf32>) dimensions = [2, 0]
  return %r : tensor<5xf32>
}

// error[E0813]: the dimensions of `linalg.reduce` stand in ascending order, not as [2, 0]
//  --> reduction_of_modes_out_of_order.mlir:2:8
//   |
// 2 |   %r = linalg.reduce { arith.addf } ins(%a : tensor<4x5x6xf32>) outs(%c : tensor<5xf32>) dimensions = [2, 0]
//   |        ^^^^^^^^^^^^^
