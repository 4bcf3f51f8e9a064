// padding, and windows whose strides are lists of the type `vector`
func.func @pool(%x: tensor<1x2x7xf32>, %k: tensor<3x2x3xf32>) -> tensor<1x3x4xf32> {
  %zero = arith.constant 0.0 : f32
  %least = arith.constant 0xFF800000 : f32
  %p = tensor.pad %x nofold low[0, 0, 1] high[0, 0, 1] {
  ^bb0(%i: index, %j: index, %l: index):
    tensor.yield %zero : f32
  } : tensor<1x2x7xf32> to tensor<1x2x9xf32>
  %e = tensor.empty() : tensor<1x3x7xf32>
  %f = linalg.fill ins(%zero : f32) outs(%e : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
  %c = linalg.conv_1d_ncw_fcw {dilations = dense<1> : vector<1xi64>, strides = dense<1> : vector<1xi64>} ins(%p, %k : tensor<1x2x9xf32>, tensor<3x2x3xf32>) outs(%f : tensor<1x3x7xf32>) -> tensor<1x3x7xf32>
  %o = tensor.empty() : tensor<1x3x4xf32>
  %m = linalg.fill ins(%least : f32) outs(%o : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  %w = tensor.empty() : tensor<1xf32>
  %r = linalg.pooling_ncw_max {dilations = dense<1> : vector<1xi64>, strides = dense<2> : vector<1xi64>} ins(%c, %w : tensor<1x3x7xf32>, tensor<1xf32>) outs(%m : tensor<1x3x4xf32>) -> tensor<1x3x4xf32>
  return %r : tensor<1x3x4xf32>
}
