func.func @open_sizes(%b: memref<800xi8>, %x: memref<?x?xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c200 = arith.constant 200 : index
  %m = memref.dim %x, %c0 : memref<?x?xf32>
  %n = memref.dim %x, %c1 : memref<?x?xf32>
  %a = memref.view %b[%c0][%m, %n] : memref<800xi8> to memref<?x?xf32>
  %v = memref.view %b[%c0][%m] : memref<800xi8> to memref<?xf32>
  %s = memref.view %b[%c200][] : memref<800xi8> to memref<f32>
  linalg.add ins(%a, %x : memref<?x?xf32>, memref<?x?xf32>) outs(%a : memref<?x?xf32>)
  linalg.dot ins(%v, %v : memref<?xf32>, memref<?xf32>) outs(%s : memref<f32>)
  return
}

// the views overlap: operands are what was there before
func.func @overlapping(%b: memref<256xi8>, %m: index) {
  %c0 = arith.constant 0 : index
  %c8 = arith.constant 8 : index
  %a = memref.view %b[%c0][%m, %m] : memref<256xi8> to memref<?x?xf64>
  %d = memref.view %b[%c8][%m, %m] : memref<256xi8> to memref<?x?xf64>
  linalg.matmul ins(%a, %d : memref<?x?xf64>, memref<?x?xf64>) outs(%a : memref<?x?xf64>)
  return
}

func.func @numbers(%a: tensor<?x?xf32>, %b: tensor<?x?xf32>, %c: tensor<?x?xf32>) -> (index, index, f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %r = linalg.matmul ins(%a, %b : tensor<?x?xf32>, tensor<?x?xf32>) outs(%c : tensor<?x?xf32>) -> tensor<?x?xf32>
  %m = tensor.dim %r, %c0 : tensor<?x?xf32>
  %n = tensor.dim %r, %c1 : tensor<?x?xf32>
  %e = tensor.extract %r[%c0, %c1] : tensor<?x?xf32>
  return %m, %n, %e : index, index, f32
}

func.func @size_that_is_a_constant(%a: tensor<8x?xf32>, %c: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %n = tensor.dim %a, %c1 : tensor<8x?xf32>
  %s = tensor.extract_slice %a[%c1, 1] [%c2, %c4] [1, 1] : tensor<8x?xf32> to tensor<?x?xf32>
  %e = tensor.empty(%c2, %c4) : tensor<?x?xf32>
  %q = linalg.exp ins(%s : tensor<?x?xf32>) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>
  %t = tensor.cast %q : tensor<?x?xf32> to tensor<2x4xf32>
  %r = linalg.add ins(%t, %c : tensor<2x4xf32>, tensor<2x4xf32>) outs(%c : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
