func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %r = linalg.generic
      {indexing_maps = [affine_map<(i, j) -> (i, j)>,
                        affine_map<(i, j) -> (i, j)>],
       iterator_types = ["parallel", "parallel"]}
      ins(%c : tensor<?x?xf64>) outs(%c : tensor<?x?xf64>) {
    ^bb0(%x: f64, %z: f64):
      %i = linalg.index 0 : index
      %j = arith.index_cast %i : index to i64
      %p = arith.sitofp %j : i64 to f64
      linalg.yield %p : f64
  } -> tensor<?x?xf64>
  return %r : tensor<?x?xf64>
}

// error[E0828]: a position of an iterator is a number where its extent is known
//  --> position_in_a_payload.mlir:8:7
//   |
// 8 |       %i = linalg.index 0 : index
//   |       ^^^^^^^^^^^^^^^^^
