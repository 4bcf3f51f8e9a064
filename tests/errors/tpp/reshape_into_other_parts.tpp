func.func @f(%a: memref<2x3xf32>, %b: memref<3x2xf32>) {
  %v = memref.collapse_shape %a [[0, 1]] : memref<2x3xf32> into memref<6xf32>
  tpp.exp outs(%v)
  %w = memref.expand_shape %v [[0, 1]] output_shape [3, 2] : memref<6xf32> into memref<3x2xf32>
  tpp.relu ins(%w) outs(%b)
  return
}

// error[E0826]: a mode that is put together of 2x3 positions is taken apart into 3x2
//  --> reshape_into_other_parts.tpp:4:3
//   |
// 4 |   %w = memref.expand_shape %v [[0, 1]] output_shape [3, 2] : memref<6xf32> into memref<3x2xf32>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: a contraction graph has an index for each part, and cuts it in no other way
