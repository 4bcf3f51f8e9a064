func.func @f(%a: memref<4x5xf32> {einsum_front.constant}) {
  tpp.relu outs(%a) : memref<4x5xf32>
  return
}

// error[E0826]: `%a` is the same for all elements, and is written
//  --> constant_that_is_written.tpp:1:14
//   |
// 1 | func.func @f(%a: memref<4x5xf32> {einsum_front.constant}) {
//   |              ^^
