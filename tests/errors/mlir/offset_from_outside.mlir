func.func @f(%m: memref<8x8xf64>, %i: index) {
  %s = memref.subview %m[%i, 0] [4, 8] [1, 1] : memref<8x8xf64> to memref<4x8xf64, strided<[8, 1], offset: ?>>
  linalg.copy ins(%s : memref<4x8xf64, strided<[8, 1], offset: ?>>) outs(%s : memref<4x8xf64, strided<[8, 1], offset: ?>>)
  return
}

// error[E0828]: `%i` is not known when compiling
//  --> offset_from_outside.mlir:2:26
//   |
// 2 |   %s = memref.subview %m[%i, 0] [4, 8] [1, 1] : memref<8x8xf64> to memref<4x8xf64, strided<[8, 1], offset: ?>>
//   |                          ^^
//   |
//   = note: sizes may be: those of whole modes, from `dim`
