// the same on tensors, in a nest of loops of 64 iterations, whose slices need memory each
func.func @repeated(%a: tensor<16x8xf32>, %row: tensor<1x2xf32>, %o: tensor<16x8xf32>) -> tensor<16x8xf32> {
  %r = scf.forall (%i, %j) = (0, 0) to (16, 8) step (2, 2) shared_outs(%t = %o) -> (tensor<16x8xf32>) {
    %x = tensor.extract_slice %a[%i, %j] [2, 2] [1, 1] : tensor<16x8xf32> to tensor<2x2xf32>
    %y = tpp.add(%x : tensor<2x2xf32>, %row : tensor<1x2xf32>) -> tensor<2x2xf32>
    %z = tpp.relu(%y)
    scf.forall.in_parallel {
      tensor.parallel_insert_slice %z into %t[%i, %j] [2, 2] [1, 1] : tensor<2x2xf32> into tensor<16x8xf32>
    }
  }
  return %r : tensor<16x8xf32>
}
