func.func @rows(%b: memref<96xi8>, %x: memref<4xf64>, %y: memref<3xf64>) {
  %c0 = arith.constant 0 : index
  %a = memref.view %b[%c0][] : memref<96xi8> to memref<3x4xf64>
  linalg.matvec ins(%a, %x : memref<3x4xf64>, memref<4xf64>) outs(%y : memref<3xf64>)
  return
}
