func.func @f(%a: tensor<4xf64>) -> tensor<4xf64> {
  return %a : tensor<4xf64>
^bb1:
  return %a : tensor<4xf64>
}

// error[E0807]: a region has one block: control flow between blocks is not read
//  --> control_flow.mlir:4:3
//   |
// 4 |   return %a : tensor<4xf64>
//   |   ^^^^^^
