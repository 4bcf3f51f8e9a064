func.func @f(%a: memref<4x5xf32>, %c: memref<4x5xf32>) {
  tpp.quant ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf32>)
  return
}

// error[E0851]: `tpp.quant` is not read: quantization has no meaning in the reference
//  --> left_out_by_the_reference.tpp:2:3
//   |
// 2 |   tpp.quant ins(%a) outs(%c) : (memref<4x5xf32>, memref<4x5xf32>)
//   |   ^^^^^^^^^
