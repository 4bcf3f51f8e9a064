func.func @f(%a: index) {
  scf.for %i = %a to %a {
  }
  return
}

// error[E0801]: expected `step`, found `{`
//  --> loop_without_a_step.mlir:2:25
//   |
// 2 |   scf.for %i = %a to %a {
//   |                         ^
