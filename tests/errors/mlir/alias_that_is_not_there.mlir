func.func @f(%a: tensor<4x5xf64>, %b: tensor<5x6xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.contract indexing_maps = [#map, #map1, #map2]
      ins(%a, %b : tensor<4x5xf64>, tensor<5x6xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0806]: there is no alias `#map`
//  --> alias_that_is_not_there.mlir:2:41
//   |
// 2 |   %r = linalg.contract indexing_maps = [#map, #map1, #map2]
//   |                                         ^^^^
