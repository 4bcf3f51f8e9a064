// aliases of types, of maps and of traits, in a module and before it; attributes of other dialects are read over
!rows = tensor<4x5xf64>
#lhs = affine_map<(m, n, k) -> (m, k)>
module attributes {dlti.map = #dlti.map<"a" = 32 : i64, <"b" = <1, 2>>>} {
  !out = tensor<4x6xf64>
  #product = {
    indexing_maps = [#lhs, affine_map<(m, n, k) -> (k, n)>, affine_map<(m, n, k) -> (m, n)>],
    iterator_types = ["parallel", "parallel", "reduction"],
    library_call = "product", other.note = #other.note<[1, 2], "<">
  }
  func.func @product(%a: !rows {other.arg = 1 : i32}, %b: tensor<5x6xf64>, %c: !out) -> (!out {other.result}) {
    %r = linalg.generic #product ins(%a, %b : !rows, tensor<5x6xf64>) outs(%c : !out) attrs = {__internal__ = "x"} {
    ^bb0(%x: f64, %y: f64, %z: f64):
      %p = arith.mulf %x, %y : f64
      %s = arith.addf %z, %p fastmath<fast> : f64
      linalg.yield %s : f64
    } -> !out
    return %r : !out loc(unknown)
  }
}
