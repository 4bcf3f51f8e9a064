func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.transpose ins(%c : tensor<4x6xf64>) outs(%c : tensor<4x6xf64>) permutation = [0, 0]
  return %r : tensor<4x6xf64>
}

// error[E0813]: `permutation` is no order of the 2 modes
//  --> permutation_with_a_mode_twice.mlir:2:8
//   |
// 2 |   %r = linalg.transpose ins(%c : tensor<4x6xf64>) outs(%c : tensor<4x6xf64>) permutation = [0, 0]
//   |        ^^^^^^^^^^^^^^^^
