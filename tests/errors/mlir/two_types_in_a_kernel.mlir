func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>) -> tensor<4xf64> {
  return %b : tensor<4xf64>
}

// error[E0826]: a kernel computes with numbers of one type, f32 or f64
//  --> two_types_in_a_kernel.mlir:1:1
//   |
// 1 | func.func @f(%a: tensor<4xf32>, %b: tensor<4xf64>) -> tensor<4xf64> {
//   | ^^^^^^^^^^^^
