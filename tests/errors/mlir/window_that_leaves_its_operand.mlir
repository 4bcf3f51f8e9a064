func.func @f(%x: tensor<8xf64>, %w: tensor<3xf64>, %y: tensor<7xf64>) -> tensor<7xf64> {
  %r = linalg.conv_1d ins(%x, %w : tensor<8xf64>, tensor<3xf64>) outs(%y : tensor<7xf64>) -> tensor<7xf64>
  return %r : tensor<7xf64>
}

// error[E0815]: mode 0 of `%x` has 8 positions, and its map walks from 0 to 8
//  --> window_that_leaves_its_operand.mlir:2:27
//   |
// 2 |   %r = linalg.conv_1d ins(%x, %w : tensor<8xf64>, tensor<3xf64>) outs(%y : tensor<7xf64>) -> tensor<7xf64>
//   |                           ^^
