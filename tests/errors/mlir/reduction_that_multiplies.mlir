func.func @f(%a: tensor<4x500xf64>, %b: tensor<500x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.generic
      {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                        affine_map<(i, j, k) -> (k, j)>,
                        affine_map<(i, j, k) -> (i, j)>],
       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x500xf64>, tensor<500x6xf64>) outs(%c : tensor<4x6xf64>) {
    ^bb0(%x: f64, %y: f64, %z: f64):
      %p = arith.mulf %x, %y : f64
      %s = arith.mulf %z, %p : f64
      linalg.yield %s : f64
  } -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0826]: a reduction adds to the output, or takes the larger or smaller of it and a value
//   --> reduction_that_multiplies.mlir:10:7
//    |
// 10 |       %s = arith.mulf %z, %p : f64
//    |       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
