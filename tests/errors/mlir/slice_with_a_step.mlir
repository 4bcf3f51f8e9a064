func.func @f(%x: memref<8xf64>, %y: memref<4xf64>) {
  %v = memref.subview %x[0] [4] [2] : memref<8xf64> to memref<4xf64, strided<[2]>>
  linalg.copy ins(%v : memref<4xf64, strided<[2]>>) outs(%y : memref<4xf64>)
  return
}

// error[E0826]: memory is taken with a step, and a contraction graph takes neighbours only
//  --> slice_with_a_step.mlir:2:3
//   |
// 2 |   %v = memref.subview %x[0] [4] [2] : memref<8xf64> to memref<4xf64, strided<[2]>>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: of a tensor, `tensor.extract_slice` takes a copy
