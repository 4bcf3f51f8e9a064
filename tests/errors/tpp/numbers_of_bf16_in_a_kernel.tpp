func.func @f(%a: memref<4x5xbf16>) {
  tpp.relu outs(%a) : memref<4x5xbf16>
  return
}

// error[E0826]: kernels compute with f32 or f64, and `%a` is of `bf16`
//  --> numbers_of_bf16_in_a_kernel.tpp:1:14
//   |
// 1 | func.func @f(%a: memref<4x5xbf16>) {
//   |              ^^
