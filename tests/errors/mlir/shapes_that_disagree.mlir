func.func @f(%a: tensor<4x5xf64>, %b: tensor<6x5xf64>, %c: tensor<4x6xf64>) -> tensor<4x6xf64> {
  %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<6x5xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
  return %r : tensor<4x6xf64>
}

// error[E0815]: iterator d2 has extent 5 in `%a` but 6 in `%b`
//  --> shapes_that_disagree.mlir:2:30
//   |
// 2 |   %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<6x5xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
//   |                          --  ^^ 6: mode 0
//   |                          |
//   |                          5: mode 1 of `%a`
//
// error[E0815]: iterator d1 has extent 5 in `%b` but 6 in `%c`
//  --> shapes_that_disagree.mlir:2:74
//   |
// 2 |   %r = linalg.matmul ins(%a, %b : tensor<4x5xf64>, tensor<6x5xf64>) outs(%c : tensor<4x6xf64>) -> tensor<4x6xf64>
//   |                              --                                          ^^ 6: mode 1
//   |                              |
//   |                              5: mode 1 of `%b`
