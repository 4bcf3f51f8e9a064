func.func @f(%a: memref<64x16xbf16>, %b: memref<4x32x4xbf16>, %w: memref<8x32x2xf32>, %c: memref<64x32xbf16>, %d: memref<64x16xf32>, %e: memref<64x32xf32>) {
  tpp.matmul ins(%a, %b) outs(%c) : (memref<64x16xbf16>, memref<4x32x4xbf16>) -> memref<64x32xbf16>
  tpp.matmul ins(%d, %w) outs(%e) : (memref<64x16xf32>, memref<8x32x2xf32>) -> memref<64x32xf32>
  return
}

// error[E0856]: `tpp.matmul` multiplies M x K by K x N, which gives M x N
//  --> vnni_of_four_rows.tpp:2:3
//   |
// 2 |   tpp.matmul ins(%a, %b) outs(%c) : (memref<64x16xbf16>, memref<4x32x4xbf16>) -> memref<64x32xbf16>
//   |   ^^^^^^^^^^     --  --       -- `%c` is `memref<64x32xbf16>`
//   |                  |   |
//   |                  |   `%b` is `memref<4x32x4xbf16>`
//   |                  `%a` is `memref<64x16xbf16>`
//   |
//   = note: its second input may be VNNI, with a last mode of 2, and that of `%b` is another
//
// error[E0856]: `tpp.matmul` multiplies M x K by K x N, which gives M x N
//  --> vnni_of_four_rows.tpp:3:3
//   |
// 3 |   tpp.matmul ins(%d, %w) outs(%e) : (memref<64x16xf32>, memref<8x32x2xf32>) -> memref<64x32xf32>
//   |   ^^^^^^^^^^     --  --       -- `%e` is `memref<64x32xf32>`
//   |                  |   |
//   |                  |   `%w` is `memref<8x32x2xf32>`
//   |                  `%d` is `memref<64x16xf32>`
//   |
//   = note: its second input may be VNNI, of bf16, and `%w` has `f32`
