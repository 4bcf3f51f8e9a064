// slices with steps are copied; modes that are put together are taken apart in another way
func.func @steps(%x: tensor<2x8x3xf32>, %y: tensor<7xf32>, %z: tensor<2x8x3xf32>) -> (tensor<7xf32>, tensor<4x2x6xf32>) {
  %s = tensor.extract_slice %x[0, 1, 0] [2, 4, 1] [1, 2, 1] : tensor<2x8x3xf32> to tensor<2x4xf32>
  %e = linalg.exp ins(%s : tensor<2x4xf32>) outs(%s : tensor<2x4xf32>) -> tensor<2x4xf32>
  %a = tensor.extract_slice %e[1, 0] [1, 4] [1, 1] : tensor<2x4xf32> to tensor<4xf32>
  %i = tensor.insert_slice %a into %y[0] [4] [2] : tensor<4xf32> into tensor<7xf32>
  %c = tensor.collapse_shape %z [[0, 1, 2]] : tensor<2x8x3xf32> into tensor<48xf32>
  %o = linalg.exp ins(%c : tensor<48xf32>) outs(%c : tensor<48xf32>) -> tensor<48xf32>
  %d = tensor.expand_shape %o [[0, 1, 2]] output_shape [4, 2, 6] : tensor<48xf32> into tensor<4x2x6xf32>
  return %i, %d : tensor<7xf32>, tensor<4x2x6xf32>
}
