func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
  return %a : tensor<4xi32>
}

// error[E0826]: kernels compute with f32 or f64, and `%a` is of `i32`
//  --> tensors_of_integers.mlir:1:14
//   |
// 1 | func.func @f(%a: tensor<4xi32>) -> tensor<4xi32> {
//   |              ^^
