func.func @f(%a: tensor<4x5xf64>) {
  %e = tensor.empty() : tensor<4x5xf64>
  %r = linalg.exp ins(%a : tensor<4x5xf64>) outs(%e : tensor<4x5xf64>) -> tensor<4x5xf64>
  return
}

// error[E0826]: `f` computes nothing
//  --> kernel_that_computes_nothing.mlir:1:1
//   |
// 1 | func.func @f(%a: tensor<4x5xf64>) {
//   | ^^^^^^^^^^^^
//   |
//   = note: it returns no tensor and writes no memref
