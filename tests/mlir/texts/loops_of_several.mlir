// loops of several variables, around slices; memory of the module, and a layout that is a map
memref.global "private" constant @bias : memref<3xf64> = dense<[1.0, 2.0, 3.0]>
func.func @tiles(%a: tensor<4x6xf64>, %t: tensor<4x6xf64>, %m: memref<4x6xf64, affine_map<(i, j) -> (i * 6 + j)>>) -> tensor<4x6xf64> {
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %c3 = arith.constant 3 : index
  %c6 = arith.constant 6 : index
  scf.parallel (%i, %j) = (%c0, %c0) to (%c4, %c6) step (%c2, %c3) {
    %bias = memref.get_global @bias : memref<3xf64>
    %v = memref.subview %m[%i, %j] [2, 3] [1, 1] : memref<4x6xf64, affine_map<(i, j) -> (i * 6 + j)>> to memref<2x3xf64, strided<[6, 1], offset: ?>>
    linalg.broadcast ins(%bias : memref<3xf64>) outs(%v : memref<2x3xf64, strided<[6, 1], offset: ?>>) dimensions = [0]
    scf.reduce
  }
  %r = scf.forall (%i, %j) in (2, 2) shared_outs(%o = %t) -> (tensor<4x6xf64>) {
    %p = affine.apply affine_map<(d) -> (d * 2)>(%i)
    %q = affine.min affine_map<(d) -> (d * 3, 3)>(%j)
    %s = tensor.extract_slice %a[%p, %q] [2, 3] [1, 1] : tensor<4x6xf64> to tensor<2x3xf64>
    %u = tensor.extract_slice %o[%p, %q] [2, 3] [1, 1] : tensor<4x6xf64> to tensor<2x3xf64>
    %x = linalg.exp ins(%s : tensor<2x3xf64>) outs(%u : tensor<2x3xf64>) -> tensor<2x3xf64>
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %x into %o[%p, %q] [2, 3] [1, 1] : tensor<2x3xf64> into tensor<4x6xf64>
    }
  } {mapping = [#gpu.block<y>, #gpu.block<x>]}
  return %r : tensor<4x6xf64>
}
