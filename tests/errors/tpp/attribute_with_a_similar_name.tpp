func.func @f(%a: memref<4x4xf32>, %w: memref<4x4xf32> {einsum_front.const}, %c: memref<4x4xf32>) {
  tpp.matmul ins(%a, %w) outs(%c)
  return
}

// error[E0806]: `einsum_front.const` is no attribute of an argument
//  --> attribute_with_a_similar_name.tpp:1:56
//   |
// 1 | func.func @f(%a: memref<4x4xf32>, %w: memref<4x4xf32> {einsum_front.const}, %c: memref<4x4xf32>) {
//   |                                                        ^^^^^^^^^^^^^^^^^^
//   |
//   = help: `einsum_front.constant` is one
