"""Kernels compute on the device what the interpreter says."""

from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import compare, function_of, integers

F32, F64 = ScalarType.F32, ScalarType.F64


def test_the_sample_of_the_references() -> None:
    text = """func @fused_kernel(%alpha: f32, %A: group<memref<f32x16x8>>, %B: memref<f32x8x8>, %C: memref<f32x8x16>,
                                 %D: memref<f32x16x16x?>) {
      %0 = group_id
      %1 = load %A[%0] : group<memref<f32x16x8>>
      %2 = subview %D[:,:,%0] : memref<f32x16x16x?>
      %tmp0 = alloca -> memref<f32x16x8>
      gemm.n.t 1.0, %1, %B, 0.0, %tmp0 : f32, memref<f32x16x8>, memref<f32x8x8>, f32, memref<f32x16x8>
      gemm.n.n %alpha, %tmp0, %C, 1.0, %2 : f32, memref<f32x16x8>, memref<f32x8x16>, f32, memref<f32x16x16>
    }"""
    arguments = {
        "alpha": -2.0,
        "A": [integers(F32, 16, 8, seed=seed) for seed in range(5)],
        "B": integers(F32, 8, 8),
        "C": integers(F32, 8, 16),
        "D": integers(F32, 16, 16, 5),
    }
    compare(function_of(text), arguments, groups=5)
