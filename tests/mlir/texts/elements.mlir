func.func @elements(%x: f64, %y: f64, %a: tensor<2x3xf64>) -> tensor<2x3xf64> {
  %s = arith.addf %x, %y : f64
  %t = tensor.from_elements %x, %y, %s, %s, %x, %y : tensor<2x3xf64>
  %r = linalg.add ins(%a, %t : tensor<2x3xf64>, tensor<2x3xf64>) outs(%a : tensor<2x3xf64>) -> tensor<2x3xf64>
  return %r : tensor<2x3xf64>
}

func.func @one(%x: f64, %a: tensor<f64>) -> tensor<f64> {
  %t = tensor.from_elements %x : tensor<f64>
  %r = linalg.add ins(%a, %t : tensor<f64>, tensor<f64>) outs(%a : tensor<f64>) -> tensor<f64>
  return %r : tensor<f64>
}

func.func @padded_tiles(%a: tensor<7x9xf64>, %x: f64, %c: tensor<2x3x4x3xf64>) -> tensor<2x3x4x3xf64> {
  %p = linalg.pack %a padding_value(%x : f64) inner_dims_pos = [0, 1] inner_tiles = [4, 3] into %c
      : tensor<7x9xf64> -> tensor<2x3x4x3xf64>
  return %p : tensor<2x3x4x3xf64>
}
