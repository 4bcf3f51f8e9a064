// Complex numbers in and out: named products, every operation of the dialect `complex` in payloads, memory, views.
!row = tensor<3x4xcomplex<f64>>
#same = affine_map<(d0, d1) -> (d0, d1)>
#rows = affine_map<(d0, d1) -> (d0)>
#none = affine_map<(d0, d1) -> ()>

func.func @product(%a: tensor<3x5xcomplex<f64>>, %b: tensor<5x4xcomplex<f64>>) -> !row {
  %zero = complex.constant [0.0, 0.0] : complex<f64>
  %empty = tensor.empty() : !row
  %c = linalg.fill ins(%zero : complex<f64>) outs(%empty : !row) -> !row
  %r = linalg.matmul ins(%a, %b : tensor<3x5xcomplex<f64>>, tensor<5x4xcomplex<f64>>) outs(%c : !row) -> !row
  return %r : !row
}

func.func @batched(%a: tensor<?x3x5xcomplex<f32>>, %b: tensor<?x5x4xcomplex<f32>>, %c: tensor<?x3x4xcomplex<f32>>)
    -> tensor<?x3x4xcomplex<f32>> {
  %r = linalg.batch_matmul ins(%a, %b : tensor<?x3x5xcomplex<f32>>, tensor<?x5x4xcomplex<f32>>)
      outs(%c : tensor<?x3x4xcomplex<f32>>) -> tensor<?x3x4xcomplex<f32>>
  return %r : tensor<?x3x4xcomplex<f32>>
}

func.func @conjugated(%a: memref<3x5xcomplex<f64>>, %b: memref<4x5xcomplex<f64>, strided<[7, 1]>>, %c: memref<3x4xcomplex<f64>>) {
  linalg.generic {
    indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (j, k)>, affine_map<(i, j, k) -> (i, j)>],
    iterator_types = ["parallel", "parallel", "reduction"]
  } ins(%a, %b : memref<3x5xcomplex<f64>>, memref<4x5xcomplex<f64>, strided<[7, 1]>>) outs(%c : memref<3x4xcomplex<f64>>) {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %z: complex<f64>):
    %d = complex.conj %y : complex<f64>
    %p = complex.mul %x, %d fastmath<nnan> : complex<f64>
    %s = complex.sub %z, %p : complex<f64>
    linalg.yield %s : complex<f64>
  }
  return
}

func.func @elementwise(%a: !row, %b: !row, %w: tensor<3xf64>, %s: complex<f64>, %t: f64) -> (!row, tensor<3x4xf64>) {
  %two = complex.constant [2.0, -0.5] : complex<f64>
  %e = tensor.empty() : !row
  %r = linalg.generic {indexing_maps = [#same, #same, #rows, #none, #same], iterator_types = ["parallel", "parallel"]}
      ins(%a, %b, %w, %s : !row, !row, tensor<3xf64>, complex<f64>) outs(%e : !row) {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %z: f64, %v: complex<f64>, %o: complex<f64>):
    %one = arith.constant 1.5 : f64
    %i = complex.constant [0.0, 1.0] : complex<f64>
    %real = complex.re %x : complex<f64>
    %imaginary = complex.im %y : complex<f64>
    %made = complex.create %real, %z : complex<f64>
    %q = complex.div %made, %two : complex<f64>
    %n = complex.neg %q : complex<f64>
    %m = complex.mul %n, %i : complex<f64>
    %u = complex.mul %v, %y : complex<f64>
    %k = complex.add %m, %u : complex<f64>
    %is = arith.cmpf olt, %imaginary, %one : f64
    %g = arith.select %is, %k, %x : complex<f64>
    %c = complex.conj %g : complex<f64>
    linalg.yield %c : complex<f64>
  } -> !row
  %f = tensor.empty() : tensor<3x4xf64>
  %l = linalg.generic {indexing_maps = [#same, #same, #same], iterator_types = ["parallel", "parallel"]}
      ins(%r, %b : !row, !row) outs(%f : tensor<3x4xf64>) {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %o: f64):
    %abs = complex.abs %x : complex<f64>
    %is = complex.eq %x, %y : complex<f64>
    %not = complex.neq %x, %y : complex<f64>
    %h = arith.select %is, %t, %abs : f64
    %g = arith.select %not, %h, %t : f64
    linalg.yield %g : f64
  } -> tensor<3x4xf64>
  return %r, %l : !row, tensor<3x4xf64>
}

func.func @views(%a: tensor<6x4xcomplex<f64>>) -> tensor<2x3x2xcomplex<f64>> {
  %k = arith.constant dense<[(1.0, 2.0), (0.5, -1.0)]> : tensor<2xcomplex<f64>>
  %same = arith.constant dense<(0.0, 1.0)> : tensor<6x2xcomplex<f64>>
  %p = tensor.extract_slice %a[0, 1] [6, 2] [1, 1] : tensor<6x4xcomplex<f64>> to tensor<6x2xcomplex<f64>>
  %e = tensor.empty() : tensor<6x2xcomplex<f64>>
  %s = linalg.add ins(%p, %same : tensor<6x2xcomplex<f64>>, tensor<6x2xcomplex<f64>>) outs(%e : tensor<6x2xcomplex<f64>>)
      -> tensor<6x2xcomplex<f64>>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%s, %k : tensor<6x2xcomplex<f64>>, tensor<2xcomplex<f64>>) outs(%e : tensor<6x2xcomplex<f64>>) {
  ^bb0(%x: complex<f64>, %y: complex<f64>, %o: complex<f64>):
    %m = complex.mul %x, %y : complex<f64>
    linalg.yield %m : complex<f64>
  } -> tensor<6x2xcomplex<f64>>
  %v = tensor.expand_shape %r [[0, 1], [2]] output_shape [2, 3, 2] : tensor<6x2xcomplex<f64>> into tensor<2x3x2xcomplex<f64>>
  return %v : tensor<2x3x2xcomplex<f64>>
}

// The number of positions of the window is open, so this one becomes loops.
func.func @windows(%a: tensor<?xcomplex<f32>>, %k: tensor<?xcomplex<f32>>, %c: tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>> {
  %r = linalg.conv_1d ins(%a, %k : tensor<?xcomplex<f32>>, tensor<?xcomplex<f32>>) outs(%c : tensor<?xcomplex<f32>>) -> tensor<?xcomplex<f32>>
  return %r : tensor<?xcomplex<f32>>
}

func.func @filled(%c: memref<3x4xcomplex<f32>>) {
  %one = arith.constant 1.0 : f32
  %number = complex.create %one, %one : complex<f32>
  linalg.fill ins(%number : complex<f32>) outs(%c : memref<3x4xcomplex<f32>>)
  return
}

func.func @real(%a: tensor<3x5xcomplex<f32>>, %b: tensor<5x4xf32>, %c: tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>> {
  %r = linalg.matmul ins(%a, %b : tensor<3x5xcomplex<f32>>, tensor<5x4xf32>) outs(%c : tensor<3x4xcomplex<f32>>) -> tensor<3x4xcomplex<f32>>
  return %r : tensor<3x4xcomplex<f32>>
}

func.func @taken(%a: tensor<4x5xcomplex<f32>>, %b: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
  %two = arith.constant 2 : index
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%b : tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%y: complex<f32>, %o: complex<f32>):
    %i = linalg.index 0 : index
    %x = tensor.extract %a[%i, %two] : tensor<4x5xcomplex<f32>>
    %p = complex.mul %x, %y : complex<f32>
    linalg.yield %p : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}

func.func @scaled(%a: tensor<4xcomplex<f32>>, %s: complex<f32>) -> tensor<4xcomplex<f32>> {
  %e = tensor.empty() : tensor<4xcomplex<f32>>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a : tensor<4xcomplex<f32>>) outs(%e : tensor<4xcomplex<f32>>) {
  ^bb0(%x: complex<f32>, %o: complex<f32>):
    %p = complex.mul %x, %s : complex<f32>
    linalg.yield %p : complex<f32>
  } -> tensor<4xcomplex<f32>>
  return %r : tensor<4xcomplex<f32>>
}
