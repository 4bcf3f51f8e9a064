func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.generic
      {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                        affine_map<(i, j, k) -> (k, j)>,
                        affine_map<(i, j, k) -> (i, 0)>],
       iterator_types = ["parallel", "reduction", "reduction"]}
      ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) {
    ^bb0(%x: f64, %y: f64, %z: f64):
      %p = arith.mulf %x, %y : f64
      %s = arith.addf %z, %p : f64
      linalg.yield %s : f64
  } -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0826]: mode 1 of `%c` has several positions, of which one is written
//  --> output_map_with_a_constant.mlir:2:3
//   |
// 2 |   %r = linalg.generic
//   |   ^^^^^^^^^^^^^^^^^^^
