func.func @f(%b: memref<?xi8>, %n: index, %c: memref<?xf32>) {
  %c0 = arith.constant 0 : index
  %x = memref.view %b[%c0][%n] : memref<?xi8> to memref<?xf32>
  %y = memref.view %b[%c0][%n] : memref<?xi8> to memref<?xf64>
  return
}

// error[E0826]: the buffer `%b` has numbers of `f32` and of `f64`
//  --> buffer_of_two_types.mlir:4:8
//   |
// 4 |   %y = memref.view %b[%c0][%n] : memref<?xi8> to memref<?xf64>
//   |        ^^^^^^^^^^^ a buffer is read as numbers of one type
