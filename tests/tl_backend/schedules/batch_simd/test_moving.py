"""A tensor times another part of itself, of which a loop moves only one, in tables of rows."""

import pytest

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import compare, function_of, integers
from tests.tl_backend.schedules.batch_simd.uniform import LANES, MATRICES, MATRIX, N, check_uniform

GEMM = f"gemm.n.n 1.0, %a, %b, 1.0, %c : f64, {MATRIX}, {MATRIX}, f64, {MATRIX}"
PARTS = [("%l", "0"), ("1", "%l"), ("%l", "%l")]


def loop(left: str, right: str) -> str:
    return f"""
  for %l = 0, 3 {{
    %a = subview %k[:, :, {left}] : {MATRICES}
    %b = subview %k[:, :, {right}] : {MATRICES}
    {GEMM}
  }}"""


def of_elements(left: str, right: str) -> str:
    many, results = MATRICES.replace(">", "x?>"), MATRIX.replace(">", "x?>")
    return f"""
;! batched %K
;! batched %C
func @f(%K: {many}, %C: {results}) {{
  %g = group_id
  %k = subview %K[:, :, :, %g] : {many}
  %c = subview %C[:, :, %g] : {results}{loop(left, right)}
}}"""


@pytest.mark.parametrize(("left", "right"), PARTS)
def test_parts_of_an_element(left: str, right: str) -> None:
    """Values and entries are in the same array, at places that the loop moves or does not."""
    function = function_of(of_elements(left, right))
    assert "_values[" in emit(function, DEFAULT, LANES).source
    arguments = {"K": integers(ScalarType.F64, N, N, 3, 5, limit=3), "C": integers(ScalarType.F64, N, N, 5)}
    compare(function, arguments, 5, tuning=LANES)


@pytest.mark.parametrize(("left", "right"), PARTS)
def test_parts_of_what_is_the_same_for_all_elements(left: str, right: str) -> None:
    """The values are packed in every iteration, from where the loop moves them or does not."""
    check_uniform(loop(left, right))
