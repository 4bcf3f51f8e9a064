func.func @f(%a: tensor<4x3xf32> {einsum_front.complex}) -> tensor<4x3xf32> {
  return %a : tensor<4x3xf32>
}

// error[E0806]: `einsum_front.complex` is of a tensor of real numbers whose last mode has 2 positions
//  --> complex_argument.mlir:1:35
//   |
// 1 | func.func @f(%a: tensor<4x3xf32> {einsum_front.complex}) -> tensor<4x3xf32> {
//   |                                   ^^^^^^^^^^^^^^^^^^^^ `%a` is `tensor<4x3xf32>`
