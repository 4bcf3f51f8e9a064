func.func @f(%a: tensor<4x5xf32>) -> tensor<4x5xf32> {
  %r = linalg.winograd_output_transform m(4) r(3) ins(%a : tensor<4x5xf32>) outs(%a : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %r : tensor<4x5xf32>
}

// error[E0802]: the operation `linalg.winograd_output_transform` is not read
//  --> unknown_operation_with_words_of_its_own.mlir:2:8
//   |
// 2 |   %r = linalg.winograd_output_transform m(4) r(3) ins(%a : tensor<4x5xf32>) outs(%a : tensor<4x5xf32>) -> tensor<4x5xf32>
//   |        ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
