func.func @f(%a: !torch.vtensor<[4,5],f32>) {
  return
}

// error[E0805]: values of type `!torch.vtensor<[4,5],f32>` are not read
//  --> type_of_another_dialect.mlir:1:18
//   |
// 1 | func.func @f(%a: !torch.vtensor<[4,5],f32>) {
//   |                  ^^^^^^^^^^^^^^^^^^^^^^^^^ it is of another dialect
