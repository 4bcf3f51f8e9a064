func.func @f(%m: memref<4xf64>) {
  %c = arith.constant 0.0 : f64
}

// error[E0824]: `f` does not end with `return`
//  --> function_without_return.mlir:1:1
//   |
// 1 | func.func @f(%m: memref<4xf64>) {
//   | ^^^^^^^^^^^^
