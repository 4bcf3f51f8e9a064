// A layer of a network on a batch: relu(x · w + b). The first mode of `x` and of the result is the batch.

func.func @layer(%x: tensor<?x12x20xf32>, %w: tensor<20x16xf32>, %b: tensor<16xf32>) -> tensor<?x12x16xf32> {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = tensor.dim %x, %c0 : tensor<?x12x20xf32>
  %empty = tensor.empty(%n) : tensor<?x12x16xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<?x12x16xf32>) -> tensor<?x12x16xf32>
  %product = linalg.contract
      indexing_maps = [affine_map<(n, m, p, k) -> (n, m, k)>,
                       affine_map<(n, m, p, k) -> (k, p)>,
                       affine_map<(n, m, p, k) -> (n, m, p)>]
      ins(%x, %w : tensor<?x12x20xf32>, tensor<20x16xf32>)
      outs(%start : tensor<?x12x16xf32>) -> tensor<?x12x16xf32>
  %y = linalg.generic
      {indexing_maps = [affine_map<(n, m, p) -> (n, m, p)>,
                        affine_map<(n, m, p) -> (p)>,
                        affine_map<(n, m, p) -> (n, m, p)>],
       iterator_types = ["parallel", "parallel", "parallel"]}
      ins(%product, %b : tensor<?x12x16xf32>, tensor<16xf32>) outs(%empty : tensor<?x12x16xf32>) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %sum = arith.addf %in, %bias : f32
      %relu = arith.maximumf %sum, %zero : f32
      linalg.yield %relu : f32
  } -> tensor<?x12x16xf32>
  return %y : tensor<?x12x16xf32>
}
