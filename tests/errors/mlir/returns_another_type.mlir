func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<6x4xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0824]: `f` returns tensor<4x6xf64>, and its type says tensor<6x4xf64>
//  --> returns_another_type.mlir:3:3
//   |
// 3 |   return %r : tensor<4x6xf64>
//   |   ^^^^^^
