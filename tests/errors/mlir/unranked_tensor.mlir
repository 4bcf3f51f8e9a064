func.func @f(%a: tensor<*xf64>) {
  return
}

// error[E0805]: tensors and memrefs of any rank are not read
//  --> unranked_tensor.mlir:1:25
//   |
// 1 | func.func @f(%a: tensor<*xf64>) {
//   |                         ^^^^^ an extent for each mode, `?` if it is dynamic
