"""Products with vectors along the rows mean what the interpreter says, for sizes around every boundary of a block."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.tuning import RegisterBlock, ScheduleKind, Tuning
from einsum_front.tl_backend.schedules.work_group.vectors import vector_width
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.opencl.harness import compare, function_of, integers, run

F32, F64 = ScalarType.F32, ScalarType.F64
REALS = st.sampled_from([F32, F64])
OPS = st.sampled_from(["n.n", "n.t", "t.n", "t.t"])
BETAS = st.sampled_from(["0.0", "1.0", "-0.5", "%beta"])
SIZES = st.integers(1, 70)
FEW = share(0.25, of_long=0.4)  # a kernel is built for each


def matrix(real: ScalarType, rows: int, columns: int, gap: int) -> str:
    """A matrix with unused entries between its columns."""
    layout = f",strided<1,{rows + gap}>" if gap else ""
    return f"memref<{real.value}x{rows}x{columns}{layout}>"


def gemm(real: ScalarType, sizes: tuple[int, int, int], ops: str = "n.n", beta: str = "0.0", gap: int = 0) -> Function:
    """One product of matrices, of which each has unused entries between its columns if there is a gap."""
    m, n, k = sizes
    a, b = ops.split(".")
    left = matrix(real, *((m, k) if a == "n" else (k, m)), gap)
    right = matrix(real, *((k, n) if b == "n" else (n, k)), gap)
    target, scalar = matrix(real, m, n, gap), real.value
    return function_of(f"""func @product(%beta: {scalar}, %A: {left}, %B: {right}, %C: {target}) {{
      gemm.{ops} 2.0, %A, %B, {beta}, %C : {scalar}, {left}, {right}, {scalar}, {target}
    }}""")


def arguments(function: Function, real: ScalarType, beta: float = 3.0) -> dict[str, Any]:
    """Values whose sums of products are exact."""
    shapes = {argument.name.name: getattr(argument.type, "shape", None) for argument in function.arguments}
    arrays = enumerate((name, shape) for name, shape in shapes.items() if shape is not None)
    return {"beta": beta} | {name: integers(real, *shape, seed=seed) for seed, (name, shape) in arrays}


@FEW
@given(REALS, SIZES, SIZES, SIZES, OPS, BETAS, st.sampled_from([0, 3]))
def test_products_of_every_size(real: ScalarType, m: int, n: int, k: int, ops: str, beta: str, gap: int) -> None:
    function = gemm(real, (m, n, k), ops, beta, gap)
    compare(function, arguments(function, real))


@FEW
@given(REALS, st.integers(1, 9), st.integers(1, 9), SIZES, SIZES, OPS, BETAS)
def test_blocks_that_are_given(real: ScalarType, rows: int, columns: int, m: int, n: int, ops: str, beta: str) -> None:
    function = gemm(real, (m, n, 5), ops, beta)
    compare(function, arguments(function, real), tuning=Tuning(ScheduleKind.WORK_GROUP, RegisterBlock(rows, columns)))


@FEW
@given(REALS, SIZES, SIZES, st.sampled_from("nt"), BETAS)
def test_matrices_times_vectors(real: ScalarType, m: int, k: int, transpose: str, beta: str) -> None:
    left = matrix(real, *((m, k) if transpose == "n" else (k, m)), 0)
    scalar, right, target = real.value, f"memref<{real.value}x{k}>", f"memref<{real.value}x{m}>"
    function = function_of(f"""func @product(%beta: {scalar}, %A: {left}, %b: {right}, %c: {target}) {{
      gemv.{transpose} 2.0, %A, %b, {beta}, %c : {scalar}, {left}, {right}, {scalar}, {target}
    }}""")
    compare(function, arguments(function, real))


@pytest.mark.parametrize(("real", "m"), [(F64, 6), (F64, 9), (F32, 11), (F32, 20)])
@pytest.mark.parametrize("n", [2, 5, 8])
@pytest.mark.parametrize("ops", ["n.n", "t.n"])
@pytest.mark.parametrize("beta", ["0.0", "1.0"])
def test_two_columns_share_a_vector(real: ScalarType, m: int, n: int, ops: str, beta: str) -> None:
    function = gemm(real, (m, n, 10), ops, beta, gap=1)
    half = {F64: ".s0101", F32: ".s01230123"}[real]
    assert half in emit(function, DEFAULT, Tuning(ScheduleKind.WORK_GROUP)).source
    compare(function, arguments(function, real))


@pytest.mark.parametrize("m", [4, 7])
def test_beta_of_zero_at_run_time_does_not_read_the_target(m: int) -> None:
    function = gemm(F64, (m, 5, 3), beta="%beta")
    given_ = arguments(function, F64, beta=0.0)
    given_["C"][...] = np.nan
    compare(function, given_)


def batched(m: int, n: int) -> Function:
    """A product for each element."""
    left, right, target = (f"memref<f64x{size}x?>" for size in (f"{m}x{m}", f"{m}x{n}", f"{m}x{n}"))
    return function_of(f"""func @product(%A: {left}, %B: {right}, %C: {target}) {{
      %g = group_id
      %a = subview %A[:, :, %g] : {left}
      %b = subview %B[:, :, %g] : {right}
      %c = subview %C[:, :, %g] : {target}
      gemm.n.n 1.0, %a, %b, 1.0, %c
        : f64, memref<f64x{m}x{m}>, memref<f64x{m}x{n}>, f64, memref<f64x{m}x{n}>
    }}""")


def together(function: Function) -> int:
    """Elements that a work-group runs."""
    return emit(function, DEFAULT, Tuning(ScheduleKind.WORK_GROUP)).elements_per_group


def test_small_elements_share_a_work_group() -> None:
    assert [together(batched(size, size)) for size in (2, 8, 16, 20, 31, 32)] == [32, 32, 8, 5, 2, 1]


@pytest.mark.parametrize("groups", [1, 31, 32, 33, 70])
def test_every_element_is_computed_once(groups: int) -> None:
    function = batched(8, 8)
    arrays = {name: integers(F64, 8, 8, groups, seed=seed) for seed, name in enumerate("ABC")}
    compare(function, arrays, groups)


@pytest.mark.parametrize(("m", "n"), [(9, 7), (17, 17), (35, 3)])
def test_the_same_numbers_give_the_same_bits_wherever_they_are(m: int, n: int) -> None:
    random = np.random.default_rng(1)
    a, b = random.random((m, m)), random.random((m, n))
    column = np.roll(np.arange(n), 1)
    arrays = {
        "A": np.stack([a, a, a], axis=2),
        "B": np.stack([b, b[:, column], b], axis=2),
        "C": np.zeros((m, n, 3)),
    }
    (result,) = run(batched(m, n), {name: np.asfortranarray(array) for name, array in arrays.items()}, 3)["C"]
    np.testing.assert_array_equal(result[:, :, 0], result[:, :, 2])
    np.testing.assert_array_equal(result[:, column, 0], result[:, :, 1])


@pytest.mark.parametrize(
    ("rows", "whole", "halves"),
    [(1, 1, 1), (3, 2, 2), (5, 4, 4), (8, 8, 8), (9, 8, 4), (20, 8, 4), (24, 8, 8), (35, 8, 4)],
)
def test_vectors_of_two_steps_are_filled_or_halved(rows: int, whole: int, halves: int) -> None:
    wide = replace(DEFAULT, vector_bytes=64, vector_registers=32)
    assert vector_width(rows, Scalar.F64, wide) == whole
    assert vector_width(rows, Scalar.F64, replace(wide, native_vector_bytes=32)) == halves
    assert vector_width(rows, Scalar.F64, DEFAULT) == min(whole, 4)
