#id = affine_map<(i) -> (i)>

func.func @gather(%a: tensor<7x5xf32>, %n: tensor<6xi32>) -> tensor<6xf32> {
  %e = tensor.empty() : tensor<6xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<6xi32>) outs(%e : tensor<6xf32>) {
    ^bb0(%x: i32, %z: f32):
      %p = arith.index_cast %x : i32 to index
      %i = linalg.index 0 : index
      %v = tensor.extract %a[%i, %p] : tensor<7x5xf32>
      linalg.yield %v : f32
  } -> tensor<6xf32>
  return %r : tensor<6xf32>
}

func.func @integers(%a: tensor<6xi32>, %b: tensor<6xi32>, %c: tensor<6xi32>) -> (tensor<6xi32>, tensor<6xi8>) {
  %e = tensor.empty() : tensor<6xi8>
  %r:2 = linalg.generic {indexing_maps = [#id, #id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<6xi32>, tensor<6xi32>) outs(%c, %e : tensor<6xi32>, tensor<6xi8>) {
    ^bb0(%x: i32, %y: i32, %z: i32, %w: i8):
      %one = arith.constant 1 : i32
      %three = arith.constant -3 : i32
      %d = arith.addi %y, %one : i32
      %n = arith.subi %z, %x : i32
      %s = arith.muli %n, %three : i32
      %q = arith.floordivsi %s, %d : i32
      %u = arith.ceildivsi %s, %d : i32
      %m = arith.remsi %s, %d : i32
      %o = arith.maxsi %q, %m : i32
      %p = arith.minsi %o, %u : i32
      %k = arith.cmpi slt, %p, %x : i32
      %t = arith.select %k, %p, %s : i32
      %h = arith.trunci %t : i32 to i8
      linalg.yield %t, %h : i32, i8
  } -> (tensor<6xi32>, tensor<6xi8>)
  return %r#0, %r#1 : tensor<6xi32>, tensor<6xi8>
}

func.func @comparisons(%a: tensor<6xf32>, %n: tensor<6xi32>) -> tensor<6xf64> {
  %e = tensor.empty() : tensor<6xf64>
  %c = tensor.empty() : tensor<6xi1>
  %k = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%a, %n : tensor<6xf32>, tensor<6xi32>) outs(%c : tensor<6xi1>) {
    ^bb0(%x: f32, %y: i32, %z: i1):
      %f = arith.sitofp %y : i32 to f32
      %q = arith.divf %f, %f : f32
      %0 = arith.cmpf ult, %q, %x : f32
      %1 = arith.cmpf one, %q, %x : f32
      %2 = arith.cmpf ord, %q, %x : f32
      %3 = arith.cmpf uge, %x, %q : f32
      %4 = arith.ori %0, %2 : i1
      %5 = arith.xori %1, %3 : i1
      %6 = arith.andi %4, %5 : i1
      linalg.yield %6 : i1
  } -> tensor<6xi1>
  %r = linalg.generic {indexing_maps = [#id, #id, #id], iterator_types = ["parallel"]}
      ins(%k, %a : tensor<6xi1>, tensor<6xf32>) outs(%e : tensor<6xf64>) {
    ^bb0(%x: i1, %y: f32, %z: f64):
      %w = arith.extf %y : f32 to f64
      %g = math.rsqrt %w : f64
      %h = math.absf %w : f64
      %t = arith.uitofp %x : i1 to f64
      %u = arith.select %x, %g, %h : f64
      %v = math.fma %t, %u, %h : f64
      linalg.yield %v : f64
  } -> tensor<6xf64>
  return %r : tensor<6xf64>
}

func.func @maps(%a: tensor<4x5xf32>) -> (tensor<4x5xf32>, tensor<4xf32>) {
  %e = tensor.empty() : tensor<4x5xf32>
  %z = arith.constant dense<0.0> : tensor<4xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                         iterator_types = ["parallel", "reduction"]}
      ins(%a : tensor<4x5xf32>) outs(%e, %z : tensor<4x5xf32>, tensor<4xf32>) {
    ^bb0(%x: f32, %y: f32, %s: f32):
      %t = arith.addf %x, %s : f32
      linalg.yield %t, %t : f32, f32
  } -> (tensor<4x5xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4x5xf32>, tensor<4xf32>
}

func.func @last_of_all(%a: tensor<4x5xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%a : tensor<4x5xf32>) outs(%e : tensor<4xf32>) {
    ^bb0(%x: f32, %s: f32):
      linalg.yield %x : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}

func.func @constants(%a: tensor<?xf32>, %n: tensor<?xi64>) -> tensor<?xf32> {
  %t = arith.constant dense<[1.5, 0.0, -2.0]> : tensor<3xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<?xi64>) outs(%a : tensor<?xf32>) {
    ^bb0(%x: i64, %z: f32):
      %p = arith.index_cast %x : i64 to index
      %v = tensor.extract %t[%p] : tensor<3xf32>
      %w = arith.addf %v, %z : f32
      linalg.yield %w : f32
  } -> tensor<?xf32>
  return %r : tensor<?xf32>
}

func.func @permutation(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
  %t = arith.constant dense<[3, 1, 0, 2]> : tensor<4xi64>
  %k = arith.constant dense<[true, false, true]> : tensor<3xi1>
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                       iterator_types = ["parallel", "parallel"]}
      ins(%t, %k : tensor<4xi64>, tensor<3xi1>) outs(%e : tensor<4x3xf32>) {
    ^bb0(%x: i64, %y: i1, %z: f32):
      %zero = arith.constant 0.0 : f32
      %j = linalg.index 1 : index
      %p = arith.index_cast %x : i64 to index
      %v = tensor.extract %a[%p, %j] : tensor<4x3xf32>
      %w = arith.select %y, %v, %zero : f32
      linalg.yield %w : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}

func.func @remainders(%a: tensor<8xf32>, %n: tensor<8xi32>) -> tensor<8xf32> {
  %e = tensor.empty() : tensor<8xf32>
  %r = linalg.generic {indexing_maps = [#id, #id], iterator_types = ["parallel"]}
      ins(%n : tensor<8xi32>) outs(%e : tensor<8xf32>) {
    ^bb0(%x: i32, %z: f32):
      %p = arith.index_cast %x : i32 to index
      %m = affine.apply affine_map<(i) -> ((i * 3 - 7) mod 8)>(%p)
      %v = tensor.extract %a[%m] : tensor<8xf32>
      linalg.yield %v : f32
  } -> tensor<8xf32>
  return %r : tensor<8xf32>
}
