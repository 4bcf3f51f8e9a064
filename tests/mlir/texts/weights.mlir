// the entries of tensors as bytes: at the end of the text, in place, and of numbers in hexadecimal
func.func @layer(%x: tensor<3x2xf32>, %y: tensor<3x2xf32>) -> tensor<3x2xf32> {
  %w = arith.constant dense_resource<weights> : tensor<2x2xf32>
  %b = arith.constant dense<"0x0000803F00000040"> : tensor<2xf32>
  %h = arith.constant dense<[[0x3F800000, 2.0], [-1.0, 0x40400000]]> : tensor<2x2xf32>
  %init = linalg.broadcast ins(%b : tensor<2xf32>) outs(%y : tensor<3x2xf32>) dimensions = [0]
  %0 = linalg.matmul ins(%x, %w : tensor<3x2xf32>, tensor<2x2xf32>) outs(%init : tensor<3x2xf32>) -> tensor<3x2xf32>
  %1 = linalg.matmul ins(%0, %h : tensor<3x2xf32>, tensor<2x2xf32>) outs(%init : tensor<3x2xf32>) -> tensor<3x2xf32>
  return %1 : tensor<3x2xf32>
}

{-#
  dialect_resources: {
    builtin: {
      weights: "0x040000000000803F0000004000004040000080C0"
    }
  }
#-}
