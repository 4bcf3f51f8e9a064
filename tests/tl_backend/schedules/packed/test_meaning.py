"""Tiles compute what the interpreter says, for sizes around every boundary of a block."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import analyse, choose, is_possible
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.opencl.harness import ONLY_CPUS_HAVE_TILES, TARGET, compare, function_of, integers

pytestmark = pytest.mark.usefixtures("optimized_builds")

F32, F64 = ScalarType.F32, ScalarType.F64
SIZES = st.integers(1, 70)


def check(function: Function, arguments: dict[str, Any], groups: int = 1) -> None:
    """The schedule takes the function, and means the same."""
    if not TARGET.is_cpu:
        pytest.skip(ONLY_CPUS_HAVE_TILES)
    assert is_possible(function, DEFAULT, Tuning(ScheduleKind.PACKED))
    compare(function, arguments, groups, tuning=Tuning(ScheduleKind.PACKED))


def gemm(m: int, n: int, k: int, ops: str = "n.n", beta: str = "0.0", real: str = "f64") -> str:
    """One product of matrices."""
    a, b = ops.split(".")
    left = f"{m}x{k}" if a == "n" else f"{k}x{m}"
    right = f"{k}x{n}" if b == "n" else f"{n}x{k}"
    types = f"memref<{real}x{left}>", f"memref<{real}x{right}>", f"memref<{real}x{m}x{n}>"
    return f"""func @product(%beta: {real}, %A: {types[0]}, %B: {types[1]}, %C: {types[2]}) {{
      gemm.{ops} 2.0, %A, %B, {beta}, %C : {real}, {types[0]}, {types[1]}, {real}, {types[2]}
    }}"""


def matrices(function: Function, real: ScalarType, beta: float = 3.0) -> dict[str, Any]:
    """Values whose sums of products are exact."""
    shapes = {argument.name.name: getattr(argument.type, "shape", None) for argument in function.arguments}
    arrays = enumerate((name, shape) for name, shape in shapes.items() if shape is not None)
    return {"beta": beta} | {name: integers(real, *shape, seed=seed) for seed, (name, shape) in arrays}


@share(0.3)  # a kernel is built for each
@given(SIZES, SIZES, SIZES, st.sampled_from(["n.n", "n.t", "t.n", "t.t"]), st.sampled_from(["0.0", "1.0", "-0.5"]))
def test_products_of_every_size(m: int, n: int, k: int, ops: str, beta: str) -> None:
    function = function_of(gemm(m, n, k, ops, beta))
    check(function, matrices(function, F64))


@pytest.mark.parametrize(("m", "n", "k"), [(193, 5, 3), (8, 193, 257), (192, 192, 256), (385, 200, 513)])
@pytest.mark.parametrize("beta", ["0.0", "1.0", "%beta"])
def test_several_tiles_and_panels(m: int, n: int, k: int, beta: str) -> None:
    function = function_of(gemm(m, n, k, beta=beta))
    check(function, matrices(function, F64))


def test_beta_of_zero_at_run_time_does_not_read_the_target() -> None:
    function = function_of(gemm(20, 20, 20, beta="%beta"))
    arguments = matrices(function, F64, beta=0.0)
    arguments["C"][...] = float("nan")
    check(function, arguments)


def test_single_precision() -> None:
    function = function_of(gemm(67, 31, 40, real="f32"))
    check(function, matrices(function, F32))


NEST = """func @nest(%A: memref<f64x5x7x6x?>, %B: memref<f64x7x5x6x9>, %C: memref<f64x7x7x9x?>) {
  %group = group_id
  %c = subview %C[:, :, :, %group] : memref<f64x7x7x9x?>
  for %m = 0, 9 {
    %b0 = subview %B[:, 0, :, %m] : memref<f64x7x5x6x9>
    %a0 = subview %A[0, :, :, %group] : memref<f64x5x7x6x?>
    %c0 = subview %c[:, :, %m] : memref<f64x7x7x9>
    gemm.n.t 1.0, %b0, %a0, 2.0, %c0
      : f64, memref<f64x7x6,strided<1,35>>, memref<f64x7x6,strided<5,35>>, f64, memref<f64x7x7>
    for %l = 1, 5 {
      %b1 = subview %B[:, %l, :, %m] : memref<f64x7x5x6x9>
      %a1 = subview %A[%l, :, :, %group] : memref<f64x5x7x6x?>
      %c1 = subview %c[:, :, %m] : memref<f64x7x7x9>
      gemm.n.t 1.0, %b1, %a1, 1.0, %c1
        : f64, memref<f64x7x6,strided<1,35>>, memref<f64x7x6,strided<5,35>>, f64, memref<f64x7x7>
    }
  }
}"""


def test_a_nest_of_loops_over_a_batch() -> None:
    arguments = {"A": integers(F64, 5, 7, 6, 3), "B": integers(F64, 7, 5, 6, 9), "C": integers(F64, 7, 7, 9, 3)}
    check(function_of(NEST), arguments, groups=3)


ALONG_RIGHT = """func @f(%A: memref<f64x5x20x6>, %B: memref<f64x24x6x5>, %C: memref<f64x24x20>) {
  %b0 = subview %B[:, :, 0] : memref<f64x24x6x5>
  %a0 = subview %A[0, :, :] : memref<f64x5x20x6>
  gemm.n.t 1.0, %b0, %a0, 0.0, %C
    : f64, memref<f64x24x6>, memref<f64x20x6,strided<5,100>>, f64, memref<f64x24x20>
  for %d = 1, 5 {
    %b = subview %B[:, :, %d] : memref<f64x24x6x5>
    %a = subview %A[%d, :, :] : memref<f64x5x20x6>
    gemm.n.t 1.0, %b, %a, 1.0, %C
      : f64, memref<f64x24x6>, memref<f64x20x6,strided<5,100>>, f64, memref<f64x24x20>
  }
}"""


def test_depths_run_along_the_memory_of_the_right_factor_if_the_left_has_rows_there() -> None:
    function = function_of(ALONG_RIGHT)
    check(function, {"A": integers(F64, 5, 20, 6), "B": integers(F64, 24, 6, 5), "C": integers(F64, 24, 20)})
    source = emit(function, DEFAULT, Tuning(ScheduleKind.PACKED)).source
    assert "right_depths[depth] = depth % 5 + 100 * (depth / 5);" in source
    assert "left_depths[depth] = 144 * (depth % 5) + 24 * (depth / 5);" in source


def strided_rows(m: int, r: int, n: int, k: int, beta: str, real: str, *, are_near: bool) -> str:
    """C[m, r, n] or C[m, n, r] from A[r, m, k] and B[k, n]: memory of the left factor runs along the second index."""
    a, b = f"memref<{real}x{r}x{m}x{k}>", f"memref<{real}x{k}x{n}>"
    c, place = (f"{m}x{n}x{r}", ":, :, %r") if are_near else (f"{m}x{r}x{n}", ":, %r, :")
    stride = m if are_near else m * r
    matrix = f"memref<{real}x{m}x{n},strided<1,{stride}>>"
    return f"""func @rows(%beta: {real}, %A: {a}, %B: {b}, %C: memref<{real}x{c}>) {{
      for %r = 0, {r} {{
        %a = subview %A[%r, :, :] : {a}
        %c = subview %C[{place}] : memref<{real}x{c}>
        gemm.n.n 2.0, %a, %B, {beta}, %c : {real}, memref<{real}x{m}x{k},strided<{r},{r * m}>>, {b}, {real}, {matrix}
      }}
    }}"""


@share(0.3)  # a kernel is built for each
@given(
    *(st.integers(2, high) for high in (40, 20, 20)),
    st.integers(1, 40) | st.integers(257, 300),
    st.sampled_from(["0.0", "1.0", "-0.5", "%beta"]),
    st.sampled_from([ScalarType.F32, ScalarType.F64]),
    st.booleans(),
)
def test_rows_that_are_no_whole_vectors(
    m: int, r: int, n: int, k: int, beta: str, real: ScalarType, are_near: bool
) -> None:
    function = function_of(strided_rows(m, r, n, k, beta, real.value, are_near=are_near))
    check(function, matrices(function, real))


@pytest.mark.parametrize("beta", ["0.0", "1.0"])
def test_rows_that_come_twice_are_added_once(beta: str) -> None:
    function = function_of(strided_rows(14, 9, 20, 300, beta, "f32", are_near=True))
    check(function, matrices(function, F32))
    source = emit(function, DEFAULT, Tuning(ScheduleKind.PACKED)).source
    assert "left_rows[row] = 9 * (row % 16 - 2 * (row % 16 / 8)) + row / 16;" in source
    assert "if ((i + 8) % 16 == 8) {" in source
    assert "+ 2.0f * sum[1].s2345;" in source
    assert "+ 2.0f * sum[1].s67;" in source


@pytest.mark.parametrize("real", ["f32", "f64"])
def test_a_run_in_several_tiles_is_written_by_one_of_them_at_a_time(real: str) -> None:
    function = function_of(strided_rows(1021, 2, 40, 260, "0.0", real, are_near=True))
    source = emit(function, DEFAULT, Tuning(ScheduleKind.PACKED)).source
    assert "int tile = " in source
    assert " == 1016) {" in source or " == 1020) {" in source
    check(function, matrices(function, ScalarType(real)))


def test_columns_that_go_on_behind_short_rows_are_written_next() -> None:
    near, far = (
        emit(
            function_of(strided_rows(14, 40, 20, 9, "0.0", "f32", are_near=are_near)),
            DEFAULT,
            Tuning(ScheduleKind.PACKED),
        )
        for are_near in (True, False)
    )
    assert "for (int group_row = 0; group_row < 640; group_row += 24)" in near.source
    assert "group_row" not in far.source


@pytest.mark.parametrize(("text", "reason"), [
    (NEST.replace("for %l = 1", "for %l = 2"), "a sum is not over a box of indices"),
    (NEST.replace("%a1, 1.0", "%a1, 2.0"), "its products have several coefficients"),
    (NEST.replace("%A[%l, :, :", "%A[2, :, :"), "it has products of several kinds"),
    (NEST.replace("for %m = 0, 9", "for %m = 0, 9, 2"), "a loop leaves out positions"),
    (NEST.replace("%A[%l", "%A[0").replace("%B[:, %l", "%B[:, 0"), "a loop does the same again and again"),
])  # fmt: skip
def test_what_is_no_contraction(text: str, reason: str) -> None:
    assert analyse(function_of(text), DEFAULT, Tuning(ScheduleKind.PACKED)) == Reason(reason)


def test_an_index_of_one_factor_alone_is_summed_over() -> None:
    arguments = {"A": integers(F64, 5, 7, 6, 1), "B": integers(F64, 7, 5, 6, 9), "C": integers(F64, 7, 7, 9, 1)}
    check(function_of(NEST.replace("%A[%l, :, :", "%A[0, :, :")), arguments)


def test_a_target_that_is_a_factor_is_no_contraction() -> None:
    text = """func @square(%A: memref<f64x4x4x2>) {
      %a = subview %A[:, :, 0] : memref<f64x4x4x2>
      %b = subview %A[:, :, 1] : memref<f64x4x4x2>
      gemm.n.n 1.0, %a, %a, 0.0, %b : f64, memref<f64x4x4>, memref<f64x4x4>, f64, memref<f64x4x4>
    }"""
    assert analyse(function_of(text), DEFAULT, Tuning(ScheduleKind.PACKED)) == Reason("it reads what it writes")


def test_large_products_get_tiles_and_the_same_bytes() -> None:
    function = function_of(gemm(300, 300, 300))
    first, second = emit(function, DEFAULT), emit(function, DEFAULT)
    assert choose(function, DEFAULT).kind is ScheduleKind.PACKED
    assert first.groups_per_element > 1
    assert first == second
