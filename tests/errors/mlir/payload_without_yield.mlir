func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.generic
      {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                        affine_map<(i, j, k) -> (k, j)>,
                        affine_map<(i, j, k) -> (i, j)>],
       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) {
    ^bb0(%x: f64, %y: f64, %z: f64):
      %p = arith.mulf %x, %y : f64
  } -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0818]: a payload ends with `linalg.yield`
//  --> payload_without_yield.mlir:9:12
//   |
// 9 |       %p = arith.mulf %x, %y : f64
//   |            ^^^^^^^^^^
