func.func @f(%x: f64) {
  linalg.fill ins(%x : f64) outs(%x : f64)
  return
}

// error[E0820]: output `%x` is a number, no tensor
//  --> output_that_is_a_number.mlir:2:34
//   |
// 2 |   linalg.fill ins(%x : f64) outs(%x : f64)
//   |                                  ^^
