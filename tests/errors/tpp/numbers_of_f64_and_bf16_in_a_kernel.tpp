func.func @f(%a: memref<4x5xbf16>, %b: memref<4x5xf64>) {
  tpp.relu outs(%a) : memref<4x5xbf16>
  tpp.relu outs(%b) : memref<4x5xf64>
  return
}

// error[E0826]: a kernel computes with numbers of one type, f32 or f64
//  --> numbers_of_f64_and_bf16_in_a_kernel.tpp:1:1
//   |
// 1 | func.func @f(%a: memref<4x5xbf16>, %b: memref<4x5xf64>) {
//   | ^^^^^^^^^^^^
//   |
//   = note: with numbers of bf16 it computes in f32
