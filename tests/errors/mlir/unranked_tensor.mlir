func.func @f(%a: tensor<*xf64>) {
  return
}

// error[E0805]: tensors and memrefs of any rank are not read
//  --> unranked_tensor.mlir:1:25
//   |
// 1 | func.func @f(%a: tensor<*xf64>) {
//   |                         ^^^^^ entries are f16, bf16, f32, f64, index, i1, i8, i16, i32, i64
