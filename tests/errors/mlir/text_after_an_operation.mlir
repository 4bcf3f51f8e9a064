func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64> %a
  return %r : tensor<4x6xf64>
}

// error[E0801]: expected `:`, `,` or `=`, found `return`
//  --> text_after_an_operation.mlir:3:3
//   |
// 3 |   return %r : tensor<4x6xf64>
//   |   ^^^^^^
