func.func @f(%a: memref<4x5xf64, strided<[1]>>) {
  return
}

// error[E0805]: a memref with 2 modes has 1 stride
//  --> strides_of_another_number.mlir:1:34
//   |
// 1 | func.func @f(%a: memref<4x5xf64, strided<[1]>>) {
//   |                                  ^^^^^^^^^^^^
