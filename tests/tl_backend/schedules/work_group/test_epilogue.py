"""Loops behind a product that are done in the registers of its sums: what they mean, and which ones they are."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.tuning import RegisterBlock, ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.opencl.harness import compare, function_of
from tests.tl_backend.schedules.work_group.test_vectors import arguments

F32, F64 = ScalarType.F32, ScalarType.F64
SIZES = st.integers(1, 40)

BODIES = {
    "bias, relu": "%z = load %b[%i] : VECTOR  %x = load %C[%i, %j] : MATRIX  %s = arith.add %x, %z : REAL"
    "  %r = math.where_lt %s, 0.0, 0.0, %s : REAL",
    "of the column": "%z = load %d[%j] : COLUMNS  %x = load %C[%i, %j] : MATRIX  %r = arith.mul %z, %x : REAL",
    "of both": "%z = load %D[%i, %j] : MATRIX  %x = load %C[%i, %j] : MATRIX  %y = math.max %x, %z : REAL"
    "  %r = arith.sub %y, 0.5 : REAL",
    "twice": "%x = load %C[%i, %j] : MATRIX  %y = load %C[%i, %j] : MATRIX  %m = math.abs %y : REAL"
    "  %r = arith.mul %x, %m : REAL",
    "a number": "%x = load %C[%i, %j] : MATRIX  %y = arith.mul %x, %beta : REAL  %r = arith.neg %y : REAL",
    "without the product": "%z = load %b[%i] : VECTOR  %r = arith.add %z, 1.0 : REAL",
}
LEFT_ALONE = {
    "of another entry": "%x = load %C[%j, %i] : MATRIX  %r = arith.add %x, 1.0 : REAL",
    "of one row": "%x = load %C[0, %j] : MATRIX  %r = arith.add %x, 1.0 : REAL",
    "in steps along the rows": "%z = load %D[%j, %i] : MATRIX  %x = load %C[%i, %j] : MATRIX"
    "  %r = arith.add %x, %z : REAL",
    "a long function": "%x = load %C[%i, %j] : MATRIX  %r = math.exp %x : REAL",
    "many steps": "%x = load %C[%i, %j] : MATRIX  %s0 = arith.add %x, 0.5 : REAL  "
    + "  ".join(f"%s{n + 1} = arith.add %s{n}, 0.5 : REAL" for n in range(12))
    + "  %r = arith.add %s12, 0.5 : REAL",
}


def layer(
    real: ScalarType, sizes: tuple[int, int, int], body: str, beta: str = "0.0", loops: tuple[int, int] | None = None
) -> Function:
    """A product of matrices and loops over its result, or over so many of its rows and columns."""
    m, n, k = sizes
    rows, columns = loops or (m, n)
    types = {"MATRIX": f"{m}x{n}", "VECTOR": f"{m}", "COLUMNS": f"{n}", "LEFT": f"{m}x{k}", "RIGHT": f"{k}x{n}"}
    text = f"""func @layer(%beta: REAL, %A: LEFT, %B: RIGHT, %C: MATRIX, %D: MATRIX, %b: VECTOR, %d: COLUMNS) {{
      gemm.n.n 2.0, %A, %B, {beta}, %C : REAL, LEFT, RIGHT, REAL, MATRIX
      for %j = 0, {columns} {{
        foreach %i = 0, {rows} {{
          {body}
          store %r, %C[%i, %j] : MATRIX
        }}
      }}
    }}"""
    for word, shape in types.items():
        text = text.replace(word, f"memref<{real.value}x{shape}>")
    return function_of(text.replace("REAL", real.value))


def tensors(function: Function) -> dict[str, Any]:
    """Values for a function without a number."""
    return {name: value for name, value in arguments(function, F64).items() if name != "beta"}


def is_joined(function: Function, tuning: Tuning | None = None) -> bool:
    """True if its text has no loop that stores entry by entry."""
    text = emit(function, DEFAULT, tuning or Tuning(ScheduleKind.WORK_GROUP)).source
    return "// for %j" not in text


@share(0.25, of_long=0.4)
@given(st.sampled_from([F32, F64]), SIZES, SIZES, SIZES, st.sampled_from(sorted(BODIES)), st.sampled_from("01b"))
def test_every_size(real: ScalarType, m: int, n: int, k: int, body: str, beta: str) -> None:
    given_beta = {"0": "0.0", "1": "1.0", "b": "%beta"}[beta]
    function = layer(real, (m, n, k), BODIES[body], given_beta)
    compare(function, arguments(function, real))


@pytest.mark.parametrize("body", sorted(BODIES))
@pytest.mark.parametrize("beta", ["0.0", "1.0", "%beta"])
def test_entries_go_through_the_body_on_their_way(body: str, beta: str) -> None:
    assert is_joined(layer(F64, (16, 6, 5), BODIES[body], beta))


@pytest.mark.parametrize("body", sorted(LEFT_ALONE))
def test_what_stays_a_loop(body: str) -> None:
    function = layer(F64, (16, 16, 5), LEFT_ALONE[body])
    assert not is_joined(function)
    if body != "a long function":
        compare(function, arguments(function, F64))


@pytest.mark.parametrize("loops", [(15, 16), (16, 15), (1, 16)])
def test_loops_over_a_part_of_the_result(loops: tuple[int, int]) -> None:
    function = layer(F64, (16, 16, 5), BODIES["bias, relu"], loops=loops)
    assert not is_joined(function)
    compare(function, arguments(function, F64))


def test_a_product_that_is_there_twice() -> None:
    """Loops stand behind one of them only."""
    real = "memref<f64x8x8>"
    product = f"gemm.n.n 1.0, %A, %B, 1.0, %C : f64, {real}, {real}, f64, {real}"
    body = f"%x = load %C[%i, %j] : {real}  %r = arith.mul %x, 3.0 : f64  store %r, %C[%i, %j] : {real}"
    loops = f"for %j = 0, 8 {{ foreach %i = 0, 8 {{ {body} }} }}"
    function = function_of(f"func @twice(%A: {real}, %B: {real}, %C: {real}) {{ {product}\n{loops}\n{product} }}")
    assert not is_joined(function)
    compare(function, tensors(function))


@pytest.mark.parametrize("rows", [5, 6, 8, 19, 37])
@pytest.mark.parametrize("block", [RegisterBlock(1, 2), RegisterBlock(2, 4)])
def test_blocks_of_the_user(rows: int, block: RegisterBlock) -> None:
    tuning = Tuning(ScheduleKind.WORK_GROUP, block)
    function = layer(F32, (rows, 7, 9), BODIES["bias, relu"])
    assert is_joined(function, tuning)
    compare(function, arguments(function, F32), tuning=tuning)


def test_vectors() -> None:
    """A product with a vector, and a loop behind it."""
    vector, matrix = "memref<f64x11>", "memref<f64x11x11>"
    body = f"%x = load %c[%i] : {vector}  %r = math.sqrt %x : f64  store %r, %c[%i] : {vector}"
    function = function_of(f"""func @vector(%A: {matrix}, %b: {vector}, %c: {vector}) {{
      gemv.n 1.0, %A, %b, 0.0, %c : f64, {matrix}, {vector}, f64, {vector}
      foreach %i = 0, 11 {{ {body} }}
    }}""")
    assert "foreach" not in emit(function, DEFAULT, Tuning(ScheduleKind.WORK_GROUP)).source
    compare(function, tensors(function))


def fused(rows: int, columns: int, other: str) -> Function:
    """A product, and a loop over all of its entries as those of a vector; `other` is the shape of what is added."""
    real, entries = f"memref<f64x{rows}x{columns}>", f"memref<f64x{rows * columns}>"
    left, right, added = f"memref<f64x{rows}x5>", f"memref<f64x5x{columns}>", f"memref<f64x{other}>"
    return function_of(f"""func @fused(%A: {left}, %B: {right}, %C: {real}, %D: {added}) {{
      %d = fuse %D[0,1] : {added}
      gemm.n.n 1.0, %A, %B, 1.0, %C : f64, {left}, {right}, f64, {real}
      %c = fuse %C[0,1] : {real}
      foreach %n = 0, {rows * columns} {{
        %x = load %c[%n] : {entries}  %y = load %d[%n] : {entries}  %r = arith.sub %x, %y : f64
        store %r, %c[%n] : {entries}
      }}
    }}""")


@pytest.mark.parametrize(("rows", "columns"), [(4, 3), (11, 6), (16, 16), (35, 9)])
def test_a_loop_over_fused_modes(rows: int, columns: int) -> None:
    function = fused(rows, columns, f"{rows}x{columns}")
    assert "// foreach" not in emit(function, DEFAULT, Tuning(ScheduleKind.WORK_GROUP)).source
    compare(function, tensors(function))


def test_fused_modes_of_another_matrix() -> None:
    """Its entries lie in other rows."""
    function = fused(6, 8, "8x6")
    assert "// foreach" in emit(function, DEFAULT, Tuning(ScheduleKind.WORK_GROUP)).source
    compare(function, tensors(function))
