// The volume kernel of an ADER-DG scheme in memory, for one element: Q += K · I · A, row-major, each with a stride of its own.

func.func @volume(%Q: memref<20x9xf64, strided<[10, 1]>>, %I: memref<20x9xf64, strided<[10, 1]>>,
                  %K: memref<20x20xf64>, %A: memref<9x9xf64>) {
  %zero = arith.constant 0.0 : f64
  %T = memref.alloc() : memref<20x9xf64>
  linalg.fill ins(%zero : f64) outs(%T : memref<20x9xf64>)
  linalg.matmul ins(%K, %I : memref<20x20xf64>, memref<20x9xf64, strided<[10, 1]>>) outs(%T : memref<20x9xf64>)
  linalg.matmul ins(%T, %A : memref<20x9xf64>, memref<9x9xf64>) outs(%Q : memref<20x9xf64, strided<[10, 1]>>)
  memref.dealloc %T : memref<20x9xf64>
  return
}
