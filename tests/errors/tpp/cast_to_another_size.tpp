func.func @f(%a: memref<4x4xf32>, %b: memref<2x4xf32>) {
  %0 = memref.cast %a : memref<4x4xf32> to memref<?x4xf32>
  tpp.relu ins(%b) outs(%0)
  return
}

// error[E0815]: modes of 2 and 4 positions are walked together
//  --> cast_to_another_size.tpp:3:3
//   |
// 3 |   tpp.relu ins(%b) outs(%0)
//   |   ^^^^^^^^
