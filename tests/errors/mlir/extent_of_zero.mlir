func.func @f(%a: tensor<0x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0804]: an extent is a number from 1 to 2^63-1
//  --> extent_of_zero.mlir:1:25
//   |
// 1 | func.func @f(%a: tensor<0x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
//   |                         ^^^^^^^
