"""Loops behind a contraction that is cut into tiles: each work-group runs them over its own tile."""

import pytest

from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import is_possible
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.opencl.harness import ONLY_CPUS_HAVE_TILES, TARGET, compare, function_of, integers
from tests.tl_backend.schedules.packed.test_meaning import check, matrices

PACKED = Tuning(ScheduleKind.PACKED)
F32, F64 = ScalarType.F32, ScalarType.F64

RELU = "%z = load %b[%i] : ROWS  %x = load %C[%i, %j] : MATRIX  %s = arith.add %x, %z : REAL"
RELU += "  %r = math.where_lt %s, 0.0, 0.0, %s : REAL"
OTHERS = "%z = load %D[%j, %i] : ACROSS  %y = load %d[%j] : COLUMNS  %x = load %C[%i, %j] : MATRIX"
OTHERS += "  %s = arith.mul %x, %y : REAL  %w = arith.mul %z, %beta : REAL  %r = math.max %s, %w : REAL"
ELSEWHERE = "%x = load %C[0, %j] : MATRIX  %r = arith.add %x, 1.0 : REAL"
LONG = "%x = load %C[%i, %j] : MATRIX  %r = math.tanh %x : REAL"


def layer(
    m: int, n: int, k: int, body: str, real: str = "f64", *, beta: str = "0.0", ops: str = "n.n", rows: int = 0
) -> Function:
    """A product of matrices, and loops over its result, or over so many rows of it."""
    a, b = ops.split(".")
    left, right = f"{m}x{k}" if a == "n" else f"{k}x{m}", f"{k}x{n}" if b == "n" else f"{n}x{k}"
    types = {"MATRIX": f"{m}x{n}", "ACROSS": f"{n}x{m}", "ROWS": m, "COLUMNS": n, "LEFT": left, "RIGHT": right}
    text = f"""func @layer(%beta: REAL, %A: LEFT, %B: RIGHT, %C: MATRIX, %D: ACROSS, %b: ROWS, %d: COLUMNS) {{
      gemm.{ops} 2.0, %A, %B, {beta}, %C : REAL, LEFT, RIGHT, REAL, MATRIX
      for %j = 0, {n} {{
        foreach %i = 0, {rows or m} {{
          {body}
          store %r, %C[%i, %j] : MATRIX
        }}
      }}
    }}"""
    for word, shape in types.items():
        text = text.replace(word, f"memref<{real}x{shape}>")
    return function_of(text.replace("REAL", real))


@pytest.mark.parametrize(("m", "n", "k"), [(5, 6, 7), (193, 5, 30), (8, 193, 257)])
@pytest.mark.parametrize("body", [RELU, OTHERS])
@pytest.mark.parametrize("beta", ["0.0", "%beta"])
def test_several_tiles_and_panels(m: int, n: int, k: int, body: str, beta: str) -> None:
    function = layer(m, n, k, body, beta=beta)
    check(function, matrices(function, F64))


def test_several_tiles_in_both_directions() -> None:
    function = layer(290, 270, 20, RELU)
    check(function, matrices(function, F64))


@pytest.mark.parametrize("ops", ["n.t", "t.n", "t.t"])
def test_other_orders_and_single_precision(ops: str) -> None:
    function = layer(67, 45, 20, OTHERS, "f32", ops=ops)
    check(function, matrices(function, F32))


def test_functions_of_many_lines() -> None:
    function = layer(40, 30, 20, LONG)
    assert is_possible(function, DEFAULT, PACKED)
    if not TARGET.is_cpu:
        pytest.skip(ONLY_CPUS_HAVE_TILES)
    compare(function, matrices(function, F64), exact=False, tuning=PACKED)


def test_what_other_tiles_write() -> None:
    assert not is_possible(layer(40, 30, 20, ELSEWHERE), DEFAULT, PACKED)


def test_loops_over_a_part() -> None:
    assert not is_possible(layer(40, 30, 20, RELU, rows=39), DEFAULT, PACKED)


def test_elements_of_a_batch() -> None:
    """Every element has tiles of its own, and views on its part."""
    real, batch = "memref<f64x20x20>", "memref<f64x20x20x?>"
    function = function_of(f"""func @layers(%A: {real}, %B: {batch}, %C: {batch}) {{
      %group = group_id
      %b = subview %B[:, :, %group] : {batch}
      %c = subview %C[:, :, %group] : {batch}
      gemm.n.n 1.0, %A, %b, 1.0, %c : f64, {real}, {real}, f64, {real}
      for %j = 0, 20 {{
        foreach %i = 0, 20 {{
          %x = load %c[%i, %j] : {real}
          %y = load %b[%j, %i] : {real}
          %r = arith.sub %x, %y : f64
          store %r, %c[%i, %j] : {real}
        }}
      }}
    }}""")
    arguments = {
        "A": integers(F64, 20, 20, seed=1), "B": integers(F64, 20, 20, 5, seed=2), "C": integers(F64, 20, 20, 5, seed=3)
    }  # fmt: skip
    check(function, arguments, groups=5)
