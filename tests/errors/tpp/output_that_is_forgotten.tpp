func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  tpp.relu ins(%a)
  tpp.relu ins(%a) : memref<4x4xf32> -> memref<4x4xf32>
  tpp.relu ins(%a) outs()
  tpp.zero ins(%b)
  return
}

// error[E0850]: `tpp.relu` on memrefs writes an output
//  --> output_that_is_forgotten.tpp:2:3
//   |
// 2 |   tpp.relu ins(%a)
//   |   ^^^^^^^^ `outs(…)` is missing
//
// error[E0850]: `tpp.relu` on memrefs writes an output
//  --> output_that_is_forgotten.tpp:3:3
//   |
// 3 |   tpp.relu ins(%a) : memref<4x4xf32> -> memref<4x4xf32>
//   |   ^^^^^^^^ `outs(…)` is missing
//
// error[E0850]: `tpp.relu` on memrefs writes an output
//  --> output_that_is_forgotten.tpp:4:3
//   |
// 4 |   tpp.relu ins(%a) outs()
//   |   ^^^^^^^^ `outs(…)` is missing
//
// error[E0850]: `tpp.zero` on memrefs writes an output
//  --> output_that_is_forgotten.tpp:5:3
//   |
// 5 |   tpp.zero ins(%b)
//   |   ^^^^^^^^ `outs(…)` is missing
