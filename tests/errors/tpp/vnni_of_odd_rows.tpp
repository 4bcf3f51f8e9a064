func.func @f(%a: memref<63x32xbf16>, %c: memref<31x32x2xbf16>) {
  tpp.pack_vnni ins(%a) outs(%c) : (memref<63x32xbf16>, memref<31x32x2xbf16>)
  return
}

// error[E0855]: `tpp.pack_vnni` makes a K/2 x N x 2 tensor of a K x N matrix with an even K
//  --> vnni_of_odd_rows.tpp:2:3
//   |
// 2 |   tpp.pack_vnni ins(%a) outs(%c) : (memref<63x32xbf16>, memref<31x32x2xbf16>)
//   |   ^^^^^^^^^^^^^     --       -- `%c` is `memref<31x32x2xbf16>`
//   |                     |
//   |                     `%a` is `memref<63x32xbf16>`
