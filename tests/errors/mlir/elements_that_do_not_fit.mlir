func.func @f(%x: f64, %y: f32) -> tensor<2xf64> {
  %t = tensor.from_elements %x, %x, %x : tensor<2xf64>
  %u = tensor.from_elements %x, %y : tensor<2xf64>
  return %u : tensor<2xf64>
}

// error[E0813]: `tensor.from_elements` has a number for each entry of its result
//  --> elements_that_do_not_fit.mlir:2:8
//   |
// 2 |   %t = tensor.from_elements %x, %x, %x : tensor<2xf64>
//   |        ^^^^^^^^^^^^^^^^^^^^
//
// error[E0812]: the entries are numbers of `f64`
//  --> elements_that_do_not_fit.mlir:3:8
//   |
// 3 |   %u = tensor.from_elements %x, %y : tensor<2xf64>
//   |        ^^^^^^^^^^^^^^^^^^^^
