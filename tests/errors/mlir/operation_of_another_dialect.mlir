func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %s = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  %r = stablehlo.tanh %s : tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0802]: the operation `stablehlo.tanh` is not read
//  --> operation_of_another_dialect.mlir:3:8
//   |
// 3 |   %r = stablehlo.tanh %s : tensor<4x6xf64>
//   |        ^^^^^^^^^^^^^^
//   |
//   = note: operations of these dialects are read: affine, arith, bufferization, cf, complex, func, linalg, math, memref, ml_program, scf, tensor, tpp
