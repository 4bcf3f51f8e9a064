func.func @f(%x: tensor<4x6xf64>, %y: tensor<4xf64>) -> tensor<4xf64> {
  %r = linalg.reduce { arith.addf } ins(%x : tensor<4x6xf64>) outs(%y : tensor<4xf64>) dimensions = [1, 2]
  return %r : tensor<4xf64>
}

// error[E0823]: `linalg.reduce` names modes from 0 to 1, each once, not [1, 2]
//  --> dimension_that_is_not_there.mlir:2:3
//   |
// 2 |   %r = linalg.reduce { arith.addf } ins(%x : tensor<4x6xf64>) outs(%y : tensor<4xf64>) dimensions = [1, 2]
//   |   ^^^^^^^^^^^^^^^^^^
