func.func @slice(%a: tensor<9x8xf32>, %o: index, %c: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %s = tensor.extract_slice %a[%o, 2] [4, 3] [1, 2] : tensor<9x8xf32> to tensor<4x3xf32>
  %r = linalg.add ins(%s, %c : tensor<4x3xf32>, tensor<4x3xf32>) outs(%c : tensor<4x3xf32>) -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

func.func @insertion(%a: tensor<9x8xf32>, %o: index, %c: tensor<4x3xf32>) -> (tensor<9x8xf32>, tensor<9x8xf32>) {
  %q = linalg.exp ins(%c : tensor<4x3xf32>) outs(%c : tensor<4x3xf32>) -> tensor<4x3xf32>
  %r = tensor.insert_slice %q into %a[%o, %o] [4, 3] [1, 1] : tensor<4x3xf32> into tensor<9x8xf32>
  %t = tensor.insert_slice %q into %r[%o, 0] [4, 3] [1, 2] : tensor<4x3xf32> into tensor<9x8xf32>
  return %t, %r : tensor<9x8xf32>, tensor<9x8xf32>
}

func.func @views(%a: memref<9x8xf64>, %o: index, %c: memref<3xf64>) {
  %s = memref.subview %a[%o, 1] [1, 6] [1, 1] : memref<9x8xf64> to memref<6xf64, strided<[1], offset: ?>>
  %e = memref.expand_shape %s [[0, 1]] output_shape [3, 2]
      : memref<6xf64, strided<[1], offset: ?>> into memref<3x2xf64, strided<[2, 1], offset: ?>>
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%e : memref<3x2xf64, strided<[2, 1], offset: ?>>) outs(%c : memref<3xf64>) {
    ^bb0(%x: f64, %z: f64):
      %p = arith.mulf %x, %z : f64
      linalg.yield %p : f64
  }
  return
}

func.func @reshapes(%a: tensor<9x8xf32>, %o: index) -> (tensor<12xf32>, tensor<2x2x3x1xf32>, tensor<f32>) {
  %s = tensor.extract_slice %a[%o, 2] [4, 3] [1, 1] : tensor<9x8xf32> to tensor<4x3xf32>
  %r = tensor.collapse_shape %s [[0, 1]] : tensor<4x3xf32> into tensor<12xf32>
  %e = tensor.expand_shape %s [[0, 1], [2, 3]] output_shape [2, 2, 3, 1] : tensor<4x3xf32> into tensor<2x2x3x1xf32>
  %p = tensor.extract_slice %a[%o, 2] [1, 1] [1, 1] : tensor<9x8xf32> to tensor<1x1xf32>
  %f = tensor.collapse_shape %p [] : tensor<1x1xf32> into tensor<f32>
  return %r, %e, %f : tensor<12xf32>, tensor<2x2x3x1xf32>, tensor<f32>
}

func.func @loop(%a: tensor<9x8xf32>, %n: index) -> (tensor<9x8xf32>, tensor<9x8xf32>) {
  %zero = arith.constant 0 : index
  %one = arith.constant 1 : index
  %b = linalg.exp ins(%a : tensor<9x8xf32>) outs(%a : tensor<9x8xf32>) -> tensor<9x8xf32>
  %r:2 = scf.for %i = %zero to %n step %one iter_args(%x = %a, %y = %b) -> (tensor<9x8xf32>, tensor<9x8xf32>) {
    %s = tensor.extract_slice %x[%i, 0] [1, 8] [1, 1] : tensor<9x8xf32> to tensor<8xf32>
    %t = tensor.insert_slice %s into %y[0, 0] [1, 8] [1, 1] : tensor<8xf32> into tensor<9x8xf32>
    scf.yield %t, %x : tensor<9x8xf32>, tensor<9x8xf32>
  }
  return %r#0, %r#1 : tensor<9x8xf32>, tensor<9x8xf32>
}

func.func @in_place(%a: memref<6x6xf32>, %o: index) {
  %s = memref.subview %a[%o, 0] [3, 3] [1, 1] : memref<6x6xf32> to memref<3x3xf32, strided<[6, 1], offset: ?>>
  %t = memref.transpose %s (i, j) -> (j, i)
      : memref<3x3xf32, strided<[6, 1], offset: ?>> to memref<3x3xf32, strided<[1, 6], offset: ?>>
  linalg.add ins(%s, %t : memref<3x3xf32, strided<[6, 1], offset: ?>>, memref<3x3xf32, strided<[1, 6], offset: ?>>)
      outs(%s : memref<3x3xf32, strided<[6, 1], offset: ?>>)
  return
}
