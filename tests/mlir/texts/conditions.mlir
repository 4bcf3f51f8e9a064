// a condition is a tensor of its own, and conditions are joined
#id = affine_map<(i) -> (i)>
func.func @clamp(%x: tensor<8xf32>, %y: tensor<8xf32>) -> tensor<8xf32> {
  %zero = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<8xi1>
  %c = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]} ins(%x, %y : tensor<8xf32>, tensor<8xf32>) outs(%e : tensor<8xi1>) {
  ^bb0(%a: f32, %b: f32, %out: i1):
    %0 = arith.cmpf ogt, %a, %b : f32
    %1 = arith.cmpf ueq, %a, %zero : f32
    %2 = arith.ori %0, %1 : i1
    linalg.yield %2 : i1
  } -> tensor<8xi1>
  %o = tensor.empty() : tensor<8xf32>
  %r = linalg.select ins(%c, %x, %y : tensor<8xi1>, tensor<8xf32>, tensor<8xf32>) outs(%o : tensor<8xf32>) -> tensor<8xf32>
  return %r : tensor<8xf32>
}
