func.func @f(%a: tensor<4xcomplex<f32>>, %c: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %k = arith.constant dense<(1.0, 2.0)> : tensor<4xf32>
  %one = complex.constant [1.0 : f32, 0.0 : f32] : f32
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]
  } ins(%a : tensor<4xcomplex<f32>>) outs(%c : tensor<complex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>):
    %s = complex.exp %x : complex<f32>
    %p = arith.addf %s, %y : complex<f32>
    linalg.yield %p : complex<f32>
  } -> tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}

// error[E0806]: a pair of numbers is a complex one, and the entries are not complex
//  --> complex_numbers.mlir:2:23
//   |
// 2 |   %k = arith.constant dense<(1.0, 2.0)> : tensor<4xf32>
//   |                       ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
