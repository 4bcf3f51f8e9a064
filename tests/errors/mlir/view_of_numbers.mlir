func.func @f(%b: memref<16xf32>, %c: memref<4xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %b[%c0][] : memref<16xf32> to memref<4xf32>
  linalg.exp ins(%x : memref<4xf32>) outs(%c : memref<4xf32>)
  return
}

// error[E0812]: `memref.view` is of a buffer of bytes, such as `memref<?xi8>`
//  --> view_of_numbers.mlir:3:8
//   |
// 3 |   %x = memref.view %b[%c0][] : memref<16xf32> to memref<4xf32>
//   |        ^^^^^^^^^^^
