func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  tpp.neg outs(%a)
  tpp.inv outs(%a)
  %0 = tpp.pack(%a)
  %1 = tpp.unpack(%a)
  tpp.unnpack_vnni(%a)
  return
}

// error[E0802]: the operation `tpp.neg` is not read
//  --> names_of_the_prose.tpp:2:3
//   |
// 2 |   tpp.neg outs(%a)
//   |   ^^^^^^^
//   |
//   = note: it is `tpp.negate` here
//
// error[E0802]: the operation `tpp.inv` is not read
//  --> names_of_the_prose.tpp:3:3
//   |
// 3 |   tpp.inv outs(%a)
//   |   ^^^^^^^
//   |
//   = note: it is `tpp.reciprocal` here
//
// error[E0802]: the operation `tpp.pack` is not read
//  --> names_of_the_prose.tpp:4:8
//   |
// 4 |   %0 = tpp.pack(%a)
//   |        ^^^^^^^^
//   |
//   = note: it is `tensor.pack` here
//
// error[E0802]: the operation `tpp.unpack` is not read
//  --> names_of_the_prose.tpp:5:8
//   |
// 5 |   %1 = tpp.unpack(%a)
//   |        ^^^^^^^^^^
//   |
//   = note: it is `tensor.unpack` here
//
// error[E0802]: the operation `tpp.unnpack_vnni` is not read
//  --> names_of_the_prose.tpp:6:3
//   |
// 6 |   tpp.unnpack_vnni(%a)
//   |   ^^^^^^^^^^^^^^^^
//   |
//   = note: `tpp.pack_vnni` has a similar name
