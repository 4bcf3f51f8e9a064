func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = "linalg.winograd_filter_transform"(%c, %c) : (tensor<4x6xf64>, tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0802]: the operation `linalg.winograd_filter_transform` is not read
//  --> unknown_operation_in_the_generic_form.mlir:2:8
//   |
// 2 |   %r = "linalg.winograd_filter_transform"(%c, %c) : (tensor<4x6xf64>, tensor<4x6xf64>) -> tensor<4x6xf64>
//   |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
