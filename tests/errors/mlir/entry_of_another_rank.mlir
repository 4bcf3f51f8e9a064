func.func @f(%a: tensor<4x5xf32>, %b: tensor<4xf32>) -> tensor<4xf32> {
  %0 = arith.constant 0 : index
  %x = tensor.extract %a[%0] : tensor<4x5xf32>
  %r = linalg.fill ins(%x : f32) outs(%b : tensor<4xf32>) -> tensor<4xf32>
  return %r : tensor<4xf32>
}

// error[E0819]: `%a` has 2 modes, and `tensor.extract` has 1 position
//  --> entry_of_another_rank.mlir:3:3
//   |
// 3 |   %x = tensor.extract %a[%0] : tensor<4x5xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
