func.func @f(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
  %b = tpp.matmul(%a)
  %c = tpp.fused_brgemm(%a, %a)
  %d = tpp.broadcast
  return %a : tensor<4x4xf32>
}

// error[E0850]: `tpp.matmul` has 2 or 3 inputs on tensors, not 1
//  --> inputs_too_few.tpp:2:8
//   |
// 2 |   %b = tpp.matmul(%a)
//   |        ^^^^^^^^^^
//
// error[E0850]: `tpp.fused_brgemm` has 4 inputs on tensors, not 2
//  --> inputs_too_few.tpp:3:8
//   |
// 3 |   %c = tpp.fused_brgemm(%a, %a)
//   |        ^^^^^^^^^^^^^^^^
//
// error[E0850]: `tpp.broadcast` has no operands
//  --> inputs_too_few.tpp:4:8
//   |
// 4 |   %d = tpp.broadcast
//   |        ^^^^^^^^^^^^^
