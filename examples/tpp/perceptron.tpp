// Two layers of a perceptron for each element, y = relu(relu(x W1 + b1) W2 + b2), in tensor processing primitives.
// Weights are the same for all elements. All of it is one kernel.
//
//   einsum-front explain examples/tpp/perceptron.tpp
//   einsum-front run examples/tpp/perceptron.tpp --batch 1000 --verify

func.func @perceptron(
    %x: memref<16x32xf32>,
    %w1: memref<32x64xf32> {einsum_front.constant}, %b1: memref<64xf32> {einsum_front.constant},
    %w2: memref<64x16xf32> {einsum_front.constant}, %b2: memref<16xf32> {einsum_front.constant},
    %y: memref<16x16xf32>) {
  %hidden = memref.alloc() : memref<16x64xf32>
  tpp.broadcast ins(%b1) outs(%hidden) : (memref<64xf32>, memref<16x64xf32>)
  tpp.matmul ins(%x, %w1, %hidden) outs(%hidden) : (memref<16x32xf32>, memref<32x64xf32>) -> memref<16x64xf32>
  tpp.relu outs(%hidden) : memref<16x64xf32>
  tpp.broadcast ins(%b2) outs(%y) : (memref<16xf32>, memref<16x16xf32>)
  tpp.matmul ins(%hidden, %w2, %y) outs(%y) : (memref<16x64xf32>, memref<64x16xf32>) -> memref<16x16xf32>
  tpp.relu outs(%y) : memref<16x16xf32>
  return
}
