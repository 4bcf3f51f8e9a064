func.func @f(%0: memref<32x32xbf16>, %1: memref<8x32x4xbf16>) {
  tpp.pack_vnni ins(%0) outs(%1) : (memref<32x32xbf16>, memref<8x32x4xbf16>)
  return
}

// error[E0855]: `tpp.pack_vnni` makes a K/2 x N x 2 tensor of a K x N matrix with an even K
//  --> vnni_packed_by_four.tpp:2:3
//   |
// 2 |   tpp.pack_vnni ins(%0) outs(%1) : (memref<32x32xbf16>, memref<8x32x4xbf16>)
//   |   ^^^^^^^^^^^^^     --       -- `%1` is `memref<8x32x4xbf16>`
//   |                     |
//   |                     `%0` is `memref<32x32xbf16>`
