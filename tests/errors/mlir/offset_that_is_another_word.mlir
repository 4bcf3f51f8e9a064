func.func @f(%a: memref<4x4xf32, strided<[4, 1], start: 1>>) {
  return
}

// error[E0801]: expected `offset`, found `start`
//  --> offset_that_is_another_word.mlir:1:50
//   |
// 1 | func.func @f(%a: memref<4x4xf32, strided<[4, 1], start: 1>>) {
//   |                                                  ^^^^^
