"""Long sums have partial sums: results are as good as NumPy's, whatever the schedule, the type and the length."""

from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend.builder.partial_sums import LONGEST
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, run
from einsum_front.tl_backend.program import Program
from einsum_front.tl_backend.types import MemrefType
from einsum_front.tl_backend.verify import verify

Array = NDArray[np.float32] | NDArray[np.float64]

DRAWS: dict[str, Callable[[np.random.Generator, tuple[int, ...]], NDArray[np.float64]]] = {
    "uniform": lambda generator, shape: generator.random(shape),
    "normal": lambda generator, shape: generator.standard_normal(shape),
}

STRINGS = [
    ("i->", [(200_003,)]),
    ("i,i->", [(200_003,)] * 2),
    ("bi->b", [(20, 40_000)]),
    ("ib->b", [(20_000, 20)]),
    ("bi,bi->b", [(20, 40_000)] * 2),
    ("ij,ij->", [(501, 503)] * 2),
    ("ij,ji->", [(401, 407), (407, 401)]),
    ("ijk,kji->", [(51, 53, 57), (57, 53, 51)]),
    ("bij->b", [(20, 107, 211)]),
    ("ijk->j", [(200, 10, 200)]),
    ("ii->", [(2000, 2000)]),
    ("ij,j->i", [(20, 40_000), (40_000,)]),
]

PRODUCTS = [
    ("ik,kj->ij", [(3, 80_000), (80_000, 4)]),
    ("ik,kj->ij", [(12, 40_000), (40_000, 16)]),
    ("ikl,kjl->ij", [(3, 100, 700), (100, 4, 700)]),
]
"""Products of matrices, which NumPy has no sums in pairs for."""

SAMPLES = 4
"""Runs of each string on other numbers: the error of a single sum may be zero by chance."""


def exact(subscripts: str, operands: Sequence[Array]) -> NDArray[np.longdouble]:
    """The sum in a type that has 11 bits more than f64, or 40 more than f32."""
    result: NDArray[np.longdouble] = np.einsum(subscripts, *(each.astype(np.longdouble) for each in operands))
    return result


def pairwise(subscripts: str, operands: Sequence[Array]) -> Array:
    """The best sum that NumPy takes, in pairs: all products in an array, those that are summed side by side."""
    inputs, _, output = subscripts.partition("->")
    summed = "".join(sorted(set(inputs) - set(output) - {","}))
    products = np.einsum(f"{inputs}->{output}{summed}", *operands)
    result: Array = np.sum(np.ascontiguousarray(products).reshape((*products.shape[: len(output)], -1)), axis=-1)
    return result


def error(result: object, subscripts: str, operands: Sequence[Array]) -> float:
    """The root of the mean square of errors, each in units of the root of the sum of squares plus the sum."""
    right = exact(subscripts, operands)
    scale = np.sqrt(exact(subscripts, [np.square(each) for each in operands])) + np.abs(right)
    return float(np.sqrt(np.mean(np.square((np.asarray(result) - right) / scale))))


@pytest.mark.parametrize("draw", DRAWS)
@pytest.mark.parametrize(("subscripts", "shapes"), [*STRINGS, *PRODUCTS])
def test_errors_are_at_most_twice_those_of_numpy(subscripts: str, shapes: list[tuple[int, ...]], draw: str) -> None:
    ways: list[Callable[..., object]] = [
        ef.einsum,
        np.einsum,
        lambda text, *given: np.einsum(text, *given, optimize=True),
    ]
    if (subscripts, shapes) in STRINGS:
        ways.append(lambda text, *given: pairwise(text, list(given)))
    errors: list[list[float]] = [[] for _ in ways]
    for seed in range(SAMPLES):
        generator = np.random.default_rng(seed)
        operands = [DRAWS[draw](generator, shape).astype(np.float32) for shape in shapes]
        for way, its in zip(ways, errors, strict=True):
            its.append(error(way(subscripts, *operands), subscripts, operands))
    ours, *others = (float(np.sqrt(np.mean(np.square(each)))) for each in errors)
    assert ours <= 2 * min(others) + np.finfo(np.float32).eps / 2, others


@pytest.mark.parametrize("subscripts", ["i->", "i,i->"])
def test_twenty_million_ones(subscripts: str) -> None:
    ones = np.ones(20_000_000, np.float32)
    assert ef.einsum(subscripts, *[ones] * (1 + subscripts.count(","))) == 20_000_000


def test_numpy_s_own_test_of_chunks() -> None:
    value = 1.0 + np.finfo(np.float64).eps * 8196
    operand = np.broadcast_to(np.array(value), 1_000_000)
    for subscripts, operands in (("i->", [operand]), ("i,i->", [operand, np.ones(1_000_000)])):
        np.testing.assert_almost_equal(ef.einsum(subscripts, *operands) / 1_000_000, value, decimal=15)


@pytest.mark.parametrize("schedule", ["work_group", "batch_simd", "packed"])
@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("bi->b", [(70, 3000)]),
        ("bi,bi->b", [(70, 3000)] * 2),
        ("bik,bk->bi", [(70, 3, 3000), (70, 3000)]),
        ("ik,kj->ij", [(12, 60_000), (60_000, 16)]),
    ],
)
def test_every_schedule_that_can_run_it(schedule: str, subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    operands: list[Array] = [np.random.default_rng(3).random(shape).astype(np.float32) for shape in shapes]
    try:
        result = ef.einsum(subscripts, *operands, schedule=schedule)
    except CompileError as mistake:
        if "E0305" not in str(mistake):
            raise
        pytest.skip("the schedule cannot run it")
    assert error(result, subscripts, operands) <= 4 * np.finfo(np.float32).eps


@pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
def test_what_is_no_number_stays(number: float) -> None:
    operand = np.ones(100_000)
    operand[77_777] = number
    np.testing.assert_array_equal(ef.einsum("i->", operand), number)


OPEN = """real f32
size n
size m
tensor A[n]
tensor B[n]
tensor K[3, n]
tensor M[m, n]
tensor c[]
tensor d[]
tensor e[3, m]
tensor f[m]
kernel dot { c[] = A[i] * B[i] }
kernel total { d[] += A[i] }
kernel matrix { e[i,j] = K[i,k] * M[j,k] }
kernel vector { f[i] = M[i,k] * A[k] }
kernel rows { f[i] -= M[i,k] }
"""


@cache
def of_open_sizes() -> ef.CompiledProgram:
    return ef.compile(ef.parse(OPEN), cache=False)


@pytest.mark.parametrize("n", [1, 511, 512, 513, 16_384 + 545, 600_001])
def test_sizes_that_only_the_launch_knows(n: int) -> None:
    program = of_open_sizes()
    generator = np.random.default_rng(n)
    A, B, K, M = (generator.integers(0, 3, (1, *shape)).astype(np.float32) for shape in ((n,), (n,), (3, n), (17, n)))
    c, d, e, f = np.zeros((1,), "f4"), np.ones((1,), "f4"), np.zeros((1, 3, 17), "f4"), np.zeros((1, 17), "f4")
    program["dot"](A=A, B=B, c=c)
    assert c[0] == np.dot(A[0].astype(int), B[0].astype(int))
    program["total"](A=A, d=d)
    assert d[0] == 1 + A.astype(int).sum()
    program["matrix"](K=K, M=M, e=e)
    np.testing.assert_array_equal(e[0], K[0].astype(int) @ M[0].astype(int).T)
    program["vector"](M=M, A=A, f=f)
    np.testing.assert_array_equal(f[0], M[0].astype(int) @ A[0].astype(int))
    program["rows"](M=M, f=f)
    np.testing.assert_array_equal(f[0], M[0].astype(int) @ A[0].astype(int) - M[0].astype(int).sum(axis=1))


# -- the pass: whatever the length, every term is added once -----------------------------------------------------------

FUNCTION = """
func @f(%A: memref<f64x{m}x{k}>, %B: memref<f64x{k}x3>, %x: memref<f64x{k}>, %T: memref<f64x2x{i}x{j}>,
        %C: memref<f64x{m}x3>, %c: memref<f64x{m}>, %d: memref<f64x{m}>, %e: memref<f64>, %g: memref<f64>,
        %t: memref<f64x2>, %u: memref<f64>) {{
  gemm.n.n 2.0, %A, %B, 3.0, %C : f64, memref<f64x{m}x{k}>, memref<f64x{k}x3>, f64, memref<f64x{m}x3>
  gemv.n.atomic 2.0, %A, %x, 1.0, %c : f64, memref<f64x{m}x{k}>, memref<f64x{k}>, f64, memref<f64x{m}>
  sum.n 2.0, %A, 0.0, %d : f64, memref<f64x{m}x{k}>, f64, memref<f64x{m}>
  sum.n 2.0, %x, 3.0, %e : f64, memref<f64x{k}>, f64, memref<f64>
  %y = subview %B[:, 1] : memref<f64x{k}x3>
  %products = alloca -> memref<f64x{k}>
  hadamard_product 1.0, %x, %y, 0.0, %products : f64, memref<f64x{k}>, memref<f64x{k}>, f64, memref<f64x{k}>
  sum.n 2.0, %products, 3.0, %g : f64, memref<f64x{k}>, f64, memref<f64>
  for %j = 1, {j} {{
    for %i = 0, {i} {{
      %a = subview %T[:, %i, %j] : memref<f64x2x{i}x{j}>
      axpby.n 2.0, %a, 1.0, %t : f64, memref<f64x2>, f64, memref<f64x2>
      sum.n 1.0, %a, 1.0, %u : f64, memref<f64x2>, f64, memref<f64>
    }}
  }}
}}
"""

BOUNDARIES = sorted({base + more for base in (LONGEST, 1024, 2048, 8 * 1024) for more in (-1, 0, 1, 31, 32, 33)})


@pytest.mark.generated
@given(
    m=st.integers(1, 5),
    k=st.one_of(st.sampled_from(BOUNDARIES), st.integers(1, 9000)),
    i=st.integers(1, 40),
    j=st.integers(1, 40),
    seed=st.integers(0, 99),
    is_cpu=st.booleans(),
    is_open=st.booleans(),
)
def test_every_term_is_added_once(m: int, k: int, i: int, j: int, seed: int, is_cpu: bool, is_open: bool) -> None:
    text = FUNCTION.format(m=m, k="?" if is_open else k, i=i, j=j)
    if is_open:  # but for temporaries
        text = text.partition("  %y = subview")[0] + "}\n"
    function = parse(Source("f.tl", text)).functions[0]
    limits = WorkGroupLimits(is_cpu=is_cpu, max_work_group_size=64)
    after = run(function, passes(limits))
    assert verify(Program((after,))) == ()
    generator = np.random.default_rng(seed)
    memrefs = [each.type for each in function.arguments if isinstance(each.type, MemrefType)]
    assert len(memrefs) == len(function.arguments)
    shapes = [tuple(k if size is None else size for size in each.shape) for each in memrefs]
    numbers = [generator.integers(-3, 4, shape).astype(np.float64) for shape in shapes]
    results = []
    for each in (function, after):
        arrays = {a.name.name: np.array(n, order="F") for a, n in zip(function.arguments, numbers, strict=True)}
        interpret(each, arrays, 1)
        results.append(arrays)
    for name, before in results[0].items():
        np.testing.assert_array_equal(results[1][name], before, err_msg=name)


@pytest.mark.parametrize(
    ("rows", "depths", "schedule"),
    [
        pytest.param(64, 61_440, "packed", id="as many panels as are added one after the other"),
        pytest.param(16, 250_000, None, id="more than that"),
    ],
)
@pytest.mark.parametrize("draw", ["uniform", pytest.param("normal", marks=pytest.mark.slow)])
def test_products_of_long_matrices_are_as_good_as_those_of_blas(
    rows: int, depths: int, schedule: str | None, draw: str
) -> None:
    generator = np.random.default_rng(7)
    A, B = (DRAWS[draw](generator, shape).astype(np.float32) for shape in ((rows, depths), (depths, rows)))
    right = A.astype(np.float64) @ B.astype(np.float64)
    scale = np.abs(A).astype(np.float64) @ np.abs(B).astype(np.float64)
    try:
        result = ef.einsum("ik,kj->ij", A, B, schedule=schedule)
    except CompileError as refused:
        pytest.skip(str(refused))
    ours, blas = (float(np.sqrt(np.mean(np.square((each - right) / scale)))) for each in (result, A @ B))
    assert ours <= 2 * blas
