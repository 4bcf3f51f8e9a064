func.func @convolution(%a: tensor<2x?x2xf32>, %k: tensor<?x2x3xf32>, %c: tensor<2x?x3xf32>) -> tensor<2x?x3xf32> {
  %r = linalg.conv_1d_nwc_wcf {strides = dense<2> : tensor<1xi64>, dilations = dense<1> : tensor<1xi64>}
      ins(%a, %k : tensor<2x?x2xf32>, tensor<?x2x3xf32>) outs(%c : tensor<2x?x3xf32>) -> tensor<2x?x3xf32>
  return %r : tensor<2x?x3xf32>
}

func.func @pooling(%a: memref<?xf64>, %w: memref<3xf64>, %c: memref<?xf64>) {
  linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j * 3 + 1)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                  iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : memref<?xf64>, memref<3xf64>) outs(%c : memref<?xf64>) {
    ^bb0(%x: f64, %y: f64, %z: f64):
      %m = arith.maximumf %x, %z : f64
      linalg.yield %m : f64
  }
  return
}

func.func @in_a_mode_of_known_size(%a: tensor<16xf32>, %k: tensor<3xf32>, %c: tensor<?xf32>) -> tensor<?xf32> {
  %r = linalg.conv_1d ins(%a, %k : tensor<16xf32>, tensor<3xf32>) outs(%c : tensor<?xf32>) -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @in_a_mode_that_is_open(%a: tensor<?xf32>, %k: tensor<3xf32>, %c: tensor<4xf32>) -> tensor<4xf32> {
  %n = arith.constant 0 : index
  %d = tensor.dim %a, %n : tensor<?xf32>
  %s = tensor.empty(%d) : tensor<?xf32>
  %q = linalg.square ins(%a : tensor<?xf32>) outs(%s : tensor<?xf32>) -> tensor<?xf32>
  %r = linalg.conv_1d ins(%q, %k : tensor<?xf32>, tensor<3xf32>) outs(%c : tensor<4xf32>) -> tensor<4xf32>
  %p = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      outs(%r : tensor<4xf32>) {
    ^bb0(%z: f32):
      %i = linalg.index 0 : index
      %e = tensor.extract %a[%i] : tensor<?xf32>
      %t = arith.subf %z, %e : f32
      linalg.yield %t : f32
  } -> tensor<4xf32>
  return %p : tensor<4xf32>
}

func.func @from_infinity(%a: tensor<?xf32>, %w: tensor<2xf32>, %n: tensor<5xf32>) -> (tensor<5xf32>, tensor<5xf32>) {
  %least = arith.constant 0xFF800000 : f32
  %e = tensor.empty() : tensor<5xf32>
  %f = linalg.fill ins(%least : f32) outs(%e : tensor<5xf32>) -> tensor<5xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i + j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "reduction"]}
      ins(%a, %w : tensor<?xf32>, tensor<2xf32>) outs(%f : tensor<5xf32>) {
    ^bb0(%x: f32, %y: f32, %z: f32):
      %m = arith.maximumf %x, %z : f32
      linalg.yield %m : f32
  } -> tensor<5xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%r : tensor<5xf32>) outs(%n : tensor<5xf32>) {
    ^bb0(%x: f32, %z: f32):
      %nan = arith.constant 0x7FC00000 : f32
      %one = arith.constant 0.0 : f32
      %k = arith.cmpf olt, %x, %one : f32
      %t = arith.select %k, %nan, %x : f32
      linalg.yield %t : f32
  } -> tensor<5xf32>
  return %r, %s : tensor<5xf32>, tensor<5xf32>
}
