// infinite numbers in payloads, conditions over all entries, powers, and a reduction that multiplies
#id = affine_map<(i, j) -> (i, j)>
#row = affine_map<(i, j) -> (i)>
func.func @masked(%x: tensor<4x4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %zero = arith.constant 0.0 : f32
  %one = arith.constant 1.0 : f32
  %true = arith.constant true
  %three = arith.constant 3 : i64
  %o = tensor.empty() : tensor<4xf32>
  %f = linalg.fill ins(%least : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  %m = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf32>) outs(%f : tensor<4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %p = arith.cmpf ogt, %in, %zero : f32
    %s = arith.select %p, %in, %least : f32
    %r = arith.maximumf %s, %out : f32
    linalg.yield %r : f32
  } -> tensor<4xf32>
  %b = tensor.empty() : tensor<4xi1>
  %t = linalg.fill ins(%true : i1) outs(%b : tensor<4xi1>) -> tensor<4xi1>
  %a = linalg.generic {indexing_maps = [#id, #row], iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x4xf32>) outs(%t : tensor<4xi1>) {
  ^bb0(%in: f32, %out: i1):
    %p = arith.cmpf ole, %in, %one : f32
    %r = arith.andi %p, %out : i1
    linalg.yield %r : i1
  } -> tensor<4xi1>
  %g = linalg.fill ins(%one : f32) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  %q = linalg.reduce ins(%x : tensor<4x4xf32>) outs(%g : tensor<4xf32>) dimensions = [1]
    (%in: f32, %out: f32) {
      %c = math.fpowi %in, %three : f32, i64
      %r = arith.mulf %out, %c : f32
      linalg.yield %r : f32
    }
  %w = linalg.select ins(%a, %m, %q : tensor<4xi1>, tensor<4xf32>, tensor<4xf32>) outs(%o : tensor<4xf32>) -> tensor<4xf32>
  return %w, %q : tensor<4xf32>, tensor<4xf32>
}
