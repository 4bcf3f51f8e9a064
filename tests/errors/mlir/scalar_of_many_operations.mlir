func.func @f(%x: f64, %a: memref<4xf64>) {
  %0 = arith.mulf %x, %x : f64
  %1 = arith.mulf %0, %0 : f64
  %2 = arith.mulf %1, %1 : f64
  %3 = arith.mulf %2, %2 : f64
  %4 = arith.mulf %3, %3 : f64
  %5 = arith.mulf %4, %4 : f64
  %6 = arith.mulf %5, %5 : f64
  %7 = arith.mulf %6, %6 : f64
  linalg.fill ins(%7 : f64) outs(%a : memref<4xf64>)
  return
}

// error[E0828]: a number of scalar arguments takes more than 128 operations
//  --> scalar_of_many_operations.mlir:9:3
//   |
// 9 |   %7 = arith.mulf %6, %6 : f64
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
