func.func @f(%b: memref<16xi8>, %c: memref<16xi8>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %b[%c0][] : memref<16xi8> to memref<4xf32>
  memref.copy %b, %c : memref<16xi8> to memref<16xi8>
  return
}

// error[E0826]: the buffer `%b` has numbers of `f32`, and is used as bytes
//  --> buffer_used_as_bytes.mlir:4:15
//   |
// 4 |   memref.copy %b, %c : memref<16xi8> to memref<16xi8>
//   |               ^^
