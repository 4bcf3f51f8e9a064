func.func @f(%a: tensor<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.exp ins(%a) outs(%c) : (tensor<4x5xf32>, memref<4x5xf32>)
  return
}

// error[E0850]: the operands of `tpp.exp` are all tensors or all memrefs
//  --> tensors_and_memrefs.tpp:2:3
//   |
// 2 |   tpp.exp ins(%a) outs(%c) : (tensor<4x5xf32>, memref<4x5xf32>)
//   |   ^^^^^^^
