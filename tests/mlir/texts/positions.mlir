// positions of iterators as numbers, in comparisons, and as where an entry is taken
#id = affine_map<(i, j) -> (i, j)>
func.func @lower(%x: tensor<4x4xf32>, %t: tensor<9xf32>) -> tensor<4x4xf32> {
  %one = arith.constant 1 : index
  %zero = arith.constant 0.0 : f32
  %o = tensor.empty() : tensor<4x4xf32>
  %first = tensor.extract %t[%one] : tensor<9xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x4xf32>) outs(%o : tensor<4x4xf32>) {
  ^bb0(%in: f32, %out: f32):
    %i = linalg.index 0 : index
    %j = linalg.index 1 : index
    %k = affine.apply affine_map<(a, b)[s] -> (a + b * 1 + s)>(%i, %j)[%one]
    %w = tensor.extract %t[%k] : tensor<9xf32>
    %n = arith.index_cast %i : index to i32
    %f = arith.sitofp %n : i32 to f32
    %p = arith.cmpi sge, %i, %j : index
    %0 = arith.mulf %in, %w : f32
    %1 = arith.addf %0, %f : f32
    %2 = arith.addf %1, %first : f32
    %3 = arith.select %p, %2, %zero : f32
    linalg.yield %3 : f32
  } -> tensor<4x4xf32>
  return %r : tensor<4x4xf32>
}
