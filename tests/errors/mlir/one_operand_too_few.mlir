func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a : tensor<4x5xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0813]: `linalg.matmul` has 2 inputs, not 1
//  --> one_operand_too_few.mlir:2:8
//   |
// 2 |   %r = linalg.matmul ins(%a : tensor<4x5xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
//   |        ^^^^^^^^^^^^^
