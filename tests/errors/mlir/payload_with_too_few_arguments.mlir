func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.generic
      {indexing_maps = [affine_map<(i, j, k) -> (i, k)>,
                        affine_map<(i, j, k) -> (k, j)>,
                        affine_map<(i, j, k) -> (i, j)>],
       iterator_types = ["parallel", "parallel", "reduction"]}
      ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) {
    ^bb0(%x: f64, %y: f64):
      %p = arith.mulf %x, %y : f64
      linalg.yield %p : f64
  } -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0818]: the payload has an argument for each operand: f64, f64, f64
//  --> payload_with_too_few_arguments.mlir:7:81
//   |
// 7 |       ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) {
//   |                                                                                 ^
