func.func @f(%a: tensor<4x5xf32>, %z: f32) -> tensor<6x5xf32> {
  %r = tensor.pad %a low[1, 0] high[2, 0] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x5xf32> to tensor<6x5xf32>
  return %r : tensor<6x5xf32>
}

// error[E0815]: mode 0 has 4 positions, and 1 and 2 more are not 6
//  --> padding_that_does_not_fit.mlir:2:8
//   |
// 2 |   %r = tensor.pad %a low[1, 0] high[2, 0] {
//   |        ^^^^^^^^^^
