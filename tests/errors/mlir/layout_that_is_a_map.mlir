func.func @f(%a: memref<4x5xf64, affine_map<(i, j) -> (j, i)>>) {
  return
}

// error[E0805]: this layout of a memref is not read
//  --> layout_that_is_a_map.mlir:1:34
//   |
// 1 | func.func @f(%a: memref<4x5xf64, affine_map<(i, j) -> (j, i)>>) {
//   |                                  ^^^^^^^^^^^^^^^^^^^^^^^^^^^^ `strided<…>` is
