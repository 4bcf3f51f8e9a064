func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.generic
      {indexing_maps = [affine_map<(i, j, k) -> (i floordiv 2, k)>,
                        affine_map<(i, j, k) -> (k, j)>,
                        affine_map<(i, j, k) -> (i, j)>],
       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) {
    ^bb0(%x: f64, %y: f64, %z: f64):
      %p = arith.mulf %x, %y : f64
      %s = arith.addf %z, %p : f64
      linalg.yield %s : f64
  } -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0806]: a map of an operand with `floordiv`, `ceildiv` or `mod` is not read
//  --> map_with_floordiv.mlir:3:25
//   |
// 3 |       {indexing_maps = [affine_map<(i, j, k) -> (i floordiv 2, k)>,
//   |                         ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ only sums and multiples of iterators
