"""What is the same for all elements is packed when it is complete, also where a loop computes it."""

import pytest

from tests.tl_backend.opencl.lanes.uniform import MATRICES, MATRIX, check_uniform

TEMPORARY = f"""
    %a = subview %k[:, :, %l] : {MATRICES}
    axpby.n 1.0, %a, 0.0, %t : f64, {MATRIX}, f64, {MATRIX}
    gemm.n.n 1.0, %t, %first, 1.0, %c : f64, {MATRIX}, {MATRIX}, f64, {MATRIX}"""
COEFFICIENT = f"""
    %s = load %k[0, 1, %l] : {MATRICES}
    gemm.n.n %s, %first, %first, 1.0, %c : f64, {MATRIX}, {MATRIX}, f64, {MATRIX}"""


@pytest.mark.parametrize("body", [TEMPORARY, COEFFICIENT], ids=["temporary", "coefficient"])
def test_each_iteration_packs_what_it_computes(body: str) -> None:
    check_uniform(f"""
  %t = alloca -> {MATRIX}
  axpby.n 2.0, %first, 0.0, %t : f64, {MATRIX}, f64, {MATRIX}
  for %l = 0, 3 {{{body}
  }}""")
