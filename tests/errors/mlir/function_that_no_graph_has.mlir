func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.generic
      {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                        affine_map<(i, j) -> (i, j)>],
       iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<4x6xf64>) outs(%c : tensor<4x6xf64>) {
    ^bb0(%x: f64, %z: f64):
      %p = math.sin %x : f64
      linalg.yield %p : f64
  } -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0826]: a contraction graph cannot compute `math.sin`
//  --> function_that_no_graph_has.mlir:8:7
//   |
// 8 |       %p = math.sin %x : f64
//   |       ^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: it computes <operations>
