func.func @f(%a: memref<4xf32>, %c: i1) {
  scf.while : () -> () {
    scf.condition(%c)
  } do {
    scf.yield
  }
  return
}

// error[E0802]: the operation `scf.while` is not read
//  --> unknown_loop.mlir:2:3
//   |
// 2 |   scf.while : () -> () {
//   |   ^^^^^^^^^
