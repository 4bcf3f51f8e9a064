memref.global "private" constant @half : memref<3x2xf64> = dense<0.5>
func.func @f(%a: memref<4x3xf64>, %c: memref<4x2xf64>) attributes {einsum_front.batch = "none"} {
  %k = memref.get_global @half : memref<3x2xf64>
  linalg.matmul ins(%a, %k : memref<4x3xf64>, memref<3x2xf64>) outs(%c : memref<4x2xf64>)
  return
}
