func.func @f(%a: memref<4x4xf32> {einsum_front.batch = "0"}) {
  tpp.relu outs(%a)
  return
}
func.func @g(%a: memref<4x4xf32> {einsum_front.constant = false}, %b: memref<4x4xf32>) {
  tpp.relu ins(%a) outs(%b)
  return
}
func.func @h(%a: memref<4x4xf32>) attributes {einsum_front.bach = "none"} {
  tpp.relu outs(%a)
  return
}

// error[E0806]: `einsum_front.batch` is no attribute of an argument
//  --> attribute_that_is_none.tpp:1:56
//   |
// 1 | func.func @f(%a: memref<4x4xf32> {einsum_front.batch = "0"}) {
//   |                                                        ^^^
//   |
//   = note: there are `einsum_front.constant`, `einsum_front.nonzeros`, `einsum_front.result` and `einsum_front.complex`
//
// error[E0806]: `einsum_front.constant` has no value: it is there, or it is not
//  --> attribute_that_is_none.tpp:5:59
//   |
// 5 | func.func @g(%a: memref<4x4xf32> {einsum_front.constant = false}, %b: memref<4x4xf32>) {
//   |                                                           ^^^^^
//
// error[E0806]: `einsum_front.bach` is no attribute of a function
//  --> attribute_that_is_none.tpp:9:67
//   |
// 9 | func.func @h(%a: memref<4x4xf32>) attributes {einsum_front.bach = "none"} {
//   |                                                                   ^^^^^^
//   |
//   = help: `einsum_front.batch` is one
