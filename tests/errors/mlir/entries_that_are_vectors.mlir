func.func @f(%a: tensor<4xvector<4xf32>>) {
  return
}

// error[E0805]: entries `vector<4xf32>` are not read
//  --> entries_that_are_vectors.mlir:1:25
//   |
// 1 | func.func @f(%a: tensor<4xvector<4xf32>>) {
//   |                         ^^^^^^^^^^^^^^^ entries are f16, bf16, f32, f64, index, i1, i8, i16, i32, i64, complex<f32>, complex<f64>
