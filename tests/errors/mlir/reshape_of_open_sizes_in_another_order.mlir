func.func @g(%a: tensor<?x?xf64>) -> tensor<?x?xf64> {
  %0 = arith.constant 0 : index
  %1 = arith.constant 1 : index
  %m = tensor.dim %a, %0 : tensor<?x?xf64>
  %n = tensor.dim %a, %1 : tensor<?x?xf64>
  %v = tensor.collapse_shape %a [[0, 1]] : tensor<?x?xf64> into tensor<?xf64>
  %w = tensor.expand_shape %v [[0, 1]] output_shape [%n, %m] : tensor<?xf64> into tensor<?x?xf64>
  return %w : tensor<?x?xf64>
}

// error[E0826]: a mode that is put together of ?x? positions is taken apart into ?x?
//  --> reshape_of_open_sizes_in_another_order.mlir:7:3
//   |
// 7 |   %w = tensor.expand_shape %v [[0, 1]] output_shape [%n, %m] : tensor<?xf64> into tensor<?x?xf64>
//   |   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
//   |
//   = note: a contraction graph has an index for each part, and cuts it in no other way
