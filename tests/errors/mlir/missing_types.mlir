func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a, %b) outs(%c)
  %s = linalg.matmul ins(%a, %b :) outs(%c)
  return %r : tensor<4x6xf64>
}

// error[E0801]: expected `:`, found `)`
//  --> missing_types.mlir:2:32
//   |
// 2 |   %r = linalg.matmul ins(%a, %b) outs(%c)
//   |                                ^
