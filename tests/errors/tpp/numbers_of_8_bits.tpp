func.func @f(%0: memref<32x32xf8>, %1: memref<8x32x4xf8>) {
  tpp.pack_vnni ins(%0) outs(%1) : (memref<32x32xf8>, memref<8x32x4xf8>)
  return
}

// error[E0805]: entries `f8` are not read
//  --> numbers_of_8_bits.tpp:1:25
//   |
// 1 | func.func @f(%0: memref<32x32xf8>, %1: memref<8x32x4xf8>) {
//   |                         ^^^^^^^^ entries are f16, bf16, f32, f64, index, i1, i8, i16, i32, i64, complex<f32>, complex<f64>
//   |
//   = note: primitives have numbers of 16 bits at least: VNNI is K/2 x N x 2, of bf16
