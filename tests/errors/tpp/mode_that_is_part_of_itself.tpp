func.func @f(%x: memref<?x1xf64>, %y: memref<?x4xf64>, %o: memref<?xf64>) {
  %v = memref.collapse_shape %y [[0, 1]] : memref<?x4xf64> into memref<?xf64>
  %x1 = memref.collapse_shape %x [[0, 1]] : memref<?x1xf64> into memref<?xf64>
  tpp.reduce_add ins(%y) outs(%x)
  tpp.add ins(%x1, %v) outs(%o)
  return
}

// error[E0826]: a mode is walked together with a part of itself
//  --> mode_that_is_part_of_itself.tpp:5:3
//   |
// 5 |   tpp.add ins(%x1, %v) outs(%o)
//   |   ^^^^^^^
