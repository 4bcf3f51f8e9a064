func.func @f(%a: tensor<?x4xf64>) -> tensor<?x4xf64> {
  %empty = tensor.empty() : tensor<?x4xf64>
  %r = linalg.copy ins(%a : tensor<?x4xf64>) outs(%empty : tensor<?x4xf64>) -> tensor<?x4xf64>
  return %r : tensor<?x4xf64>
}

// error[E0813]: `tensor<?x4xf64>` has 1 dynamic size, and the operation gives 0
//  --> sizes_that_nobody_gave.mlir:2:3
//   |
// 2 |   %empty = tensor.empty() : tensor<?x4xf64>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
