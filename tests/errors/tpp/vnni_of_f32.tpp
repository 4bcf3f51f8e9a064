func.func @f(%a: memref<64x32xf32>, %c: memref<32x32x2xf32>) {
  tpp.pack_vnni ins(%a) outs(%c) : (memref<64x32xf32>, memref<32x32x2xf32>)
  return
}

// error[E0855]: VNNI is a form of numbers of 16 bits, and `%a` has `f32`
//  --> vnni_of_f32.tpp:2:3
//   |
// 2 |   tpp.pack_vnni ins(%a) outs(%c) : (memref<64x32xf32>, memref<32x32x2xf32>)
//   |   ^^^^^^^^^^^^^     --       -- `%c` is `memref<32x32x2xf32>`
//   |                     |
//   |                     `%a` is `memref<64x32xf32>`
