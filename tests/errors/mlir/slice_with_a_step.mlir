func.func @f(%x: tensor<8xf64>) -> tensor<4xf64> {
  %r = tensor.extract_slice %x[0] [4] [2] : tensor<8xf64> to tensor<4xf64>
  return %r : tensor<4xf64>
}

// error[E0826]: mode 0 is taken with a step of 2, and a contraction graph takes neighbours only
//  --> slice_with_a_step.mlir:2:3
//   |
// 2 |   %r = tensor.extract_slice %x[0] [4] [2] : tensor<8xf64> to tensor<4xf64>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
