func.func @f(%a: tensor<4xcomplex<f32>>, %c: tensor<complex<f32>>) -> tensor<complex<f32>> {
  %r = linalg.generic {
    indexing_maps = [affine_map<(d0) -> (d0)>, affine_map<(d0) -> ()>], iterator_types = ["reduction"]
  } ins(%a : tensor<4xcomplex<f32>>) outs(%c : tensor<complex<f32>>) {
  ^bb0(%x: complex<f32>, %y: complex<f32>):
    %p = complex.mul %x, %y : complex<f32>
    linalg.yield %p : complex<f32>
  } -> tensor<complex<f32>>
  return %r : tensor<complex<f32>>
}

// error[E0826]: a reduction multiplies complex numbers, or takes their parts
//  --> complex_reduction.mlir:2:3
//   |
// 2 |   %r = linalg.generic {
//   |   ^^^^^^^^^^^^^^^^^^^
