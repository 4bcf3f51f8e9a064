"""What is the same for all elements is packed when it is complete, also where a loop computes it."""

import pytest

from tests.tl_backend.opencl.harness import compare, function_of, integers
from tl_backend.opencl.emit import emit
from tl_backend.opencl.target import DEFAULT
from tl_backend.opencl.tuning import Form, Tuning
from tl_backend.types import ScalarType

LANES = Tuning(Form.LANES)
N = 9
"""Rows, columns and depths: more summands than are written out."""

MATRIX, MATRICES, COLUMNS = f"memref<f64x{N}x{N}>", f"memref<f64x{N}x{N}x3>", f"memref<f64x{N}x?>"
TEMPORARY = f"""
    %a = subview %k[:, :, %l] : {MATRICES}
    axpby.n 1.0, %a, 0.0, %t : f64, {MATRIX}, f64, {MATRIX}
    gemm.n.n 1.0, %t, %first, 1.0, %c : f64, {MATRIX}, {MATRIX}, f64, {MATRIX}"""
COEFFICIENT = f"""
    %s = load %k[0, 1, %l] : {MATRICES}
    gemm.n.n %s, %first, %first, 1.0, %c : f64, {MATRIX}, {MATRIX}, f64, {MATRIX}"""


@pytest.mark.parametrize("body", [TEMPORARY, COEFFICIENT], ids=["temporary", "coefficient"])
def test_each_iteration_packs_what_it_computes(body: str) -> None:
    function = function_of(f"""
;! batched %X
;! batched %Y
func @f(%k: {MATRICES}, %X: {COLUMNS}, %Y: {COLUMNS}) {{
  %g = group_id
  %x = subview %X[:, %g] : {COLUMNS}
  %y = subview %Y[:, %g] : {COLUMNS}
  %c = alloca -> {MATRIX}
  %t = alloca -> {MATRIX}
  %first = subview %k[:, :, 2] : {MATRICES}
  axpby.n 1.0, %first, 0.0, %c : f64, {MATRIX}, f64, {MATRIX}
  axpby.n 2.0, %first, 0.0, %t : f64, {MATRIX}, f64, {MATRIX}
  for %l = 0, 3 {{{body}
  }}
  gemv.n 1.0, %c, %x, 0.0, %y : f64, {MATRIX}, memref<f64x{N}>, f64, memref<f64x{N}>
}}""")
    assert "_values[" in emit(function, DEFAULT, LANES).source
    arguments = {
        "k": integers(ScalarType.F64, N, N, 3, limit=3),
        "X": integers(ScalarType.F64, N, 5),
        "Y": integers(ScalarType.F64, N, 5),
    }
    compare(function, arguments, 5, tuning=LANES)
