func.func @f(%a: memref<4x5xf32>) {
  tpp.relu outs(%a) {alpha = 0.5} : memref<4x5xf32>
  return
}

// error[E0859]: `tpp.relu` takes nothing, not `alpha`
//  --> option_of_another_operation.tpp:2:30
//   |
// 2 |   tpp.relu outs(%a) {alpha = 0.5} : memref<4x5xf32>
//   |                              ^^^
