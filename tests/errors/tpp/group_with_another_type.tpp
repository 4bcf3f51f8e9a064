func.func @f(%a: memref<4x4xf32>, %b: tensor<4x1xf32>) {
  %y = tpp.group {
    %1 = tpp.relu(%b)
    yield %1
  } -> tensor<4x4xf32>
  return
}

// error[E0860]: `%y` is `tensor<4x4xf32>`, and the group yields another type for it
//  --> group_with_another_type.tpp:2:3
//   |
// 2 |   %y = tpp.group {
//   |   ^^
//  ...
// 4 |     yield %1
//   |           -- `%1` is `tensor<4x1xf32>`
