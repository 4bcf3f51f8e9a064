func.func @f(%a: memref<4x5xi32>, %c: memref<4x5xi32>) {
  tpp.copy ins(%a) outs(%c) : (memref<4x5xi32>, memref<4x5xi32>)
  return
}

// error[E0852]: primitives compute with f32, f64 or bf16, and `%a` has `i32`
//  --> integers.tpp:2:16
//   |
// 2 |   tpp.copy ins(%a) outs(%c) : (memref<4x5xi32>, memref<4x5xi32>)
//   |                ^^
