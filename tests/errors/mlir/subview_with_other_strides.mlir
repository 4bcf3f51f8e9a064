func.func @f(%m: memref<8x8xf64>) {
  %s = memref.subview %m[2, 0] [4, 4] [1, 2] : memref<8x8xf64> to memref<4x4xf64, strided<[8, 1], offset: 16>>
  return
}

// error[E0821]: the memref that is taken is `memref<4x4xf64, strided<[8, 2], offset: 16>>`, not `memref<4x4xf64, strided<[8, 1], offset: 16>>`
//  --> subview_with_other_strides.mlir:2:3
//   |
// 2 |   %s = memref.subview %m[2, 0] [4, 4] [1, 2] : memref<8x8xf64> to memref<4x4xf64, strided<[8, 1], offset: 16>>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
