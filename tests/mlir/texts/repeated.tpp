// operands that are repeated, as tpp-mlir has them: rows, columns and numbers, and a bias of one mode
func.func @repeated(%a: memref<2x4x5xf32>, %b: memref<2x5x6xf32>, %c: memref<4x6xf32>, %row: memref<6xf32>, %column: memref<4x1xf32>, %s: f32, %out: memref<4x6xf32>) {
  tpp.fused_brgemm [unary = relu, binary = add]
    ins(%a : memref<2x4x5xf32>, %b : memref<2x5x6xf32>, %c : memref<4x6xf32>, %row : memref<6xf32>) outs(%c : memref<4x6xf32>)
  %t = memref.alloc() : memref<4x6xf32>
  tpp.mul ins(%c : memref<4x6xf32>, %column : memref<4x1xf32>) outs(%t : memref<4x6xf32>) {other.mark = 1}
  tpp.add ins(%t : memref<4x6xf32>, %s : f32) outs(%out : memref<4x6xf32>)
  memref.dealloc %t : memref<4x6xf32>
  return
}
