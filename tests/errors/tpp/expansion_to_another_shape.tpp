func.func @f(%a: memref<4xf32>, %b: memref<1x4xf32>) {
  %w = memref.expand_shape %a [[0, 1]] output_shape [3, 2] : memref<4xf32> into memref<1x4xf32>
  tpp.relu ins(%w) outs(%b)
  return
}

// error[E0822]: `output_shape` is 3x2, and the result is `memref<1x4xf32>`
//  --> expansion_to_another_shape.tpp:2:3
//   |
// 2 |   %w = memref.expand_shape %a [[0, 1]] output_shape [3, 2] : memref<4xf32> into memref<1x4xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
