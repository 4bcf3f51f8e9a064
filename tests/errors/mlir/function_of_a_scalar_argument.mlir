func.func @f(%x: f64, %a: memref<4xf64>) {
  %0 = arith.mulf %x, %x : f64
  %1 = math.exp %0 : f64
  linalg.fill ins(%1 : f64) outs(%a : memref<4xf64>)
  return
}

// error[E0828]: `math.exp` outside of payloads is computed when compiling, of numbers that are known
//  --> function_of_a_scalar_argument.mlir:3:3
//   |
// 3 |   %1 = math.exp %0 : f64
//   |   ^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: of scalar arguments there are `arith.addf`, `arith.subf`, `arith.mulf`, `arith.divf` and `arith.negf`
