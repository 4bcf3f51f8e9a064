func.func @f(%x: tensor<4xf64>, %y: tensor<5xf64>) -> tensor<4xf64> {
  %c0 = arith.constant 0 : index
  %c4 = arith.constant 4 : index
  %r = scf.for %i = %c0 to %c4 step %c4 iter_args(%s = %x) -> (tensor<4xf64>) {
    scf.yield %y : tensor<5xf64>
  }
  return %r : tensor<4xf64>
}

// error[E0825]: a loop yields values of the types that it carries
//  --> loop_that_yields_another_type.mlir:4:3
//   |
// 4 |   %r = scf.for %i = %c0 to %c4 step %c4 iter_args(%s = %x) -> (tensor<4xf64>) {
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
