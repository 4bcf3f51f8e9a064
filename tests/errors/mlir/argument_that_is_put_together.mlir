func.func @f(%x: tensor<3x4xf64>) -> tensor<12xf64> {
  %r = tensor.collapse_shape %x [[0, 1]] : tensor<3x4xf64> into tensor<12xf64>
  return %r : tensor<12xf64>
}

// error[E0826]: mode 0 of `%r` lies in memory, and is made of several modes
//  --> argument_that_is_put_together.mlir:3:10
//   |
// 3 |   return %r : tensor<12xf64>
//   |          ^^
//   |
//   = note: what is returned or given is not put together by `collapse_shape`
