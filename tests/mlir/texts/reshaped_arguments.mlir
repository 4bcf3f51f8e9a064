// what is given is taken apart, and what is returned is put together
func.func @reshaped(%x: tensor<12x5xf64>, %b: tensor<3x5xf64>) -> (tensor<12x5xf64>, tensor<60xf64>) {
  %e = tensor.expand_shape %x [[0, 1], [2]] output_shape [4, 3, 5] : tensor<12x5xf64> into tensor<4x3x5xf64>
  %o = tensor.empty() : tensor<4x3x5xf64>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j, k)>], iterator_types = ["parallel", "parallel", "parallel"]} ins(%e, %b : tensor<4x3x5xf64>, tensor<3x5xf64>) outs(%o : tensor<4x3x5xf64>) {
  ^bb0(%p: f64, %q: f64, %out: f64):
    %0 = arith.mulf %p, %q : f64
    linalg.yield %0 : f64
  } -> tensor<4x3x5xf64>
  %c = tensor.collapse_shape %r [[0, 1], [2]] : tensor<4x3x5xf64> into tensor<12x5xf64>
  %d = tensor.collapse_shape %r [[0, 1, 2]] : tensor<4x3x5xf64> into tensor<60xf64>
  return %c, %d : tensor<12x5xf64>, tensor<60xf64>
}
