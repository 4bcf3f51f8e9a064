// Named operations on integers, and on numbers of two types: what is read is converted to the type of the output first.
func.func @products(%a: tensor<3x4xi8>, %b: tensor<4x5xi8>, %c: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xi8>, tensor<4x5xi8>) outs(%c : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}

func.func @without_sign(%a: tensor<3x4xi8>, %b: tensor<4x5xi16>, %c: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%a, %b : tensor<3x4xi8>, tensor<4x5xi16>) outs(%c : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}

func.func @into_real(%a: tensor<3x4xi16>, %b: tensor<4x5xi64>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xi16>, tensor<4x5xi64>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

func.func @halves(%a: tensor<3x4xf16>, %b: tensor<4x5xf16>, %c: tensor<3x5xf16>) -> tensor<3x5xf16> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xf16>, tensor<4x5xf16>) outs(%c : tensor<3x5xf16>) -> tensor<3x5xf16>
  return %r : tensor<3x5xf16>
}

func.func @halves_into_single(%a: tensor<3x4xf16>, %b: tensor<4x5xbf16>, %c: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xf16>, tensor<4x5xbf16>) outs(%c : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}

func.func @pooled(%a: tensor<1x6x2xi8>, %k: tensor<3xi8>, %c: tensor<1x4x2xi32>) -> tensor<1x4x2xi32> {
  %0 = linalg.pooling_nwc_max_unsigned ins(%a, %k : tensor<1x6x2xi8>, tensor<3xi8>) outs(%c : tensor<1x4x2xi32>) -> tensor<1x4x2xi32>
  %1 = linalg.pooling_nwc_min ins(%a, %k : tensor<1x6x2xi8>, tensor<3xi8>) outs(%0 : tensor<1x4x2xi32>) -> tensor<1x4x2xi32>
  %2 = linalg.pooling_nwc_sum ins(%a, %k : tensor<1x6x2xi8>, tensor<3xi8>) outs(%1 : tensor<1x4x2xi32>) -> tensor<1x4x2xi32>
  return %2 : tensor<1x4x2xi32>
}

func.func @quantised(%a: tensor<1x5x5x2xi8>, %k: tensor<3x3x2x4xi8>, %p: i32, %q: i32, %c: tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32> {
  %r = linalg.conv_2d_nhwc_hwcf_q {dilations = dense<1> : tensor<2xi64>, strides = dense<1> : tensor<2xi64>} ins(%a, %k, %p, %q : tensor<1x5x5x2xi8>, tensor<3x3x2x4xi8>, i32, i32) outs(%c : tensor<1x3x3x4xi32>) -> tensor<1x3x3x4xi32>
  return %r : tensor<1x3x3x4xi32>
}

func.func @quantised_product(%a: tensor<3x4xi8>, %b: tensor<4x5xi8>, %p: i32, %q: i32, %c: tensor<3x5xi32>) -> tensor<3x5xi32> {
  %r = linalg.quantized_matmul ins(%a, %b, %p, %q : tensor<3x4xi8>, tensor<4x5xi8>, i32, i32) outs(%c : tensor<3x5xi32>) -> tensor<3x5xi32>
  return %r : tensor<3x5xi32>
}

func.func @truth(%a: tensor<3x4xi1>, %b: tensor<4x5xi1>, %c: tensor<3x5xi1>) -> tensor<3x5xi1> {
  %r = linalg.matmul ins(%a, %b : tensor<3x4xi1>, tensor<4x5xi1>) outs(%c : tensor<3x5xi1>) -> tensor<3x5xi1>
  return %r : tensor<3x5xi1>
}

func.func @chosen(%k: tensor<4x3xi1>, %a: tensor<4x3xi16>, %b: tensor<4x3xi16>, %o: tensor<4x3xi16>) -> tensor<4x3xi16> {
  %r = linalg.select ins(%k, %a, %b : tensor<4x3xi1>, tensor<4x3xi16>, tensor<4x3xi16>) outs(%o : tensor<4x3xi16>) -> tensor<4x3xi16>
  return %r : tensor<4x3xi16>
}

#id = affine_map<(d0) -> (d0)>
func.func @of_no_sign(%a: tensor<7xi8>, %b: tensor<7xi8>, %o: tensor<7xi32>, %h: tensor<7xf16>) -> (tensor<7xi32>, tensor<7xf16>) {
  %three = arith.constant 3 : i8
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]} ins(%a, %b : tensor<7xi8>, tensor<7xi8>) outs(%o, %h : tensor<7xi32>, tensor<7xf16>) {
  ^bb0(%x: i8, %y: i8, %z: i32, %u: f16):
    %0 = arith.divui %x, %three : i8
    %1 = arith.remui %y, %three : i8
    %2 = arith.maxui %0, %1 : i8
    %3 = arith.minui %2, %x : i8
    %4 = arith.extui %3 : i8 to i32
    %5 = arith.cmpi ult, %x, %y : i8
    %6 = arith.select %5, %4, %z : i32
    %7 = arith.uitofp %x : i8 to f16
    %8 = arith.mulf %7, %u : f16
    linalg.yield %6, %8 : i32, f16
  } -> (tensor<7xi32>, tensor<7xf16>)
  return %r#0, %r#1 : tensor<7xi32>, tensor<7xf16>
}
