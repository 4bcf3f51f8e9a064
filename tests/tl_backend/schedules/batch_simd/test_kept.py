"""Numbers that are one for the batch and stay in memory: which do, what that is in C, and that it means the same."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.runs import Mask
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.machines import with_unrolling
from tests.tl_backend.opencl.harness import TARGET, compare, function_of, integers
from tests.tl_backend.schedules.batch_simd.test_groups import product

LANES = Tuning(ScheduleKind.BATCH_SIMD)
TOLD = replace(DEFAULT, instructions="avx512f,avx512vl")
WITH_BROADCASTS = replace(DEFAULT, vector_registers=32)
MOVED = "long moved = (elements >> 62) * turn;"


def dense(rows: int, depth: int) -> Mask:
    return np.ones((rows, depth), np.bool_)


def source_of(function: Function, target: Target = WITH_BROADCASTS) -> str:
    return emit(function, target, LANES).source


@pytest.mark.parametrize("target", [TOLD, WITH_BROADCASTS], ids=["apart", "in the kernel"])
def test_the_array_and_the_loop(target: Target) -> None:
    """81 numbers of a matrix with 9 rows, read along them."""
    source = source_of(product(dense(9, 9), 4, 0.0), target)
    lines = [line.strip() for line in source.splitlines() if "prefetch" not in line]
    start = lines.index("double Q_lanes_values[81];")
    assert lines[start + 1 : start + 4] == [
        "for (int value = 0; value < 81; ++value) {  // values of K",
        "Q_lanes_values[value] = K[Q_lanes_sources[value]];",
        "}",
    ]
    assert start < next(number for number, line in enumerate(lines) if line.startswith("for (long element = "))
    start = lines.index("for (int turn = 0; turn < 4; ++turn) {")
    assert lines[start + 1 : start + 4] == [
        "// 0, which the compiler does not know: else it would spread all numbers over vectors before the loop,",
        "// instead of each on its way from memory",
        MOVED,
    ]
    first = " + ".join(f"Q_lanes_values[moved{f' + {n}' if n else ''}] * I_lanes[{n}]" for n in range(9))
    assert f"Q_lanes[0] = 2.0 * ({first});" in lines
    table = lines.index("constant int Q_lanes_sources[81] = {")
    assert lines[table + 1].startswith("0, 9, 18, 27, 36, 45, 54, 63, 72, 1, 10,")


def test_few_numbers_are_the_compilers() -> None:
    assert MOVED not in source_of(product(dense(8, 8), 4, 0.0))
    assert MOVED in source_of(product(dense(13, 5), 4, 0.0))


@pytest.mark.parametrize(("rows", "are_kept"), [(28, False), (29, True)])
def test_few_numbers_in_many_cache_lines_stay(rows: int, are_kept: bool) -> None:
    """Those of a diagonal are in lines of their own."""
    source = source_of(product(np.eye(rows, dtype=np.bool_), 4, 0.0))
    assert (MOVED in source) == are_kept
    assert (f"Q_lanes_values[value] = K[value * {rows + 1}];" in source) == are_kept


def test_other_devices_have_no_such_array() -> None:
    gpu = replace(TOLD, is_cpu=False, vector_bytes=8, has_prefetch=False)
    for target in (DEFAULT, gpu):
        assert "moved" not in source_of(product(dense(9, 9), 4, 0.0), target)


def always(target: Target) -> Target:
    """Even one number stays in memory."""
    return with_unrolling(target, spread=0, spread_lines=0)


def test_numbers_that_move_with_the_loop_are_read_as_they_are() -> None:
    """A column times a matrix: an iteration computes a row. And without a loop, nothing is done before one."""
    for holds in (dense(9, 3), np.tri(3, dtype=np.bool_)):
        assert "moved" not in source_of(product(holds, 1, 0.0), always(WITH_BROADCASTS))


MATRIX, BATCH, TWO = "memref<f64x4x4>", "memref<f64x4x5x?>", "memref<f64x4x4x2>"
COLUMNS = "memref<f64x4x5>"
HEAD = f"""
;! batched %I
;! batched %Q
func @f(%A: {TWO}, %B: {MATRIX}, %I: {BATCH}, %Q: {BATCH}, %P: group<{COLUMNS}>) {{
  %id = group_id
  %i = subview %I[:, :, %id] : {BATCH}
  %q = subview %Q[:, :, %id] : {BATCH}
  %p = load %P[%id] : group<{COLUMNS}>"""


def gemm(matrix: str, right: str, target: str, alpha: str = "1.0", beta: str = "1.0") -> str:
    of = f"f64, {MATRIX}, {COLUMNS}, f64, {COLUMNS}"
    return f"\n  gemm.n.n {alpha}, %{matrix}, %{right}, {beta}, %{target} : {of}"


FIRST = f"\n  %first = subview %A[:, :, 0] : {TWO}"
LOOP = f"\n  for %l = 0, 2 {{\n  %a = subview %A[:, :, %l] : {TWO}{gemm('a', 'i', 'q')}\n  }}"
ONCE = f"""
  %sum = alloca -> {MATRIX}
  axpby.n 1.0, %B, 0.0, %sum : f64, {MATRIX}, f64, {MATRIX}
  axpby.t 2.0, %B, 1.0, %sum : f64, {MATRIX}, f64, {MATRIX}"""
BODIES = {
    "two matrices": (FIRST + gemm("first", "i", "q") + gemm("B", "p", "q", "3.0"), ["A[", "B["]),
    "a group": (gemm("B", "p", "q", "1.0", "0.0") + gemm("B", "q", "p", "1.0", "2.0"), ["B["]),
    "computed once": (ONCE + gemm("sum", "i", "q"), ["sum["]),
    "a loop of the language": (LOOP, []),
    "both": (LOOP + gemm("B", "i", "q"), ["B["]),
}


@pytest.mark.parametrize("name", BODIES)
def test_what_is_kept(name: str) -> None:
    """Where a loop of the tensor language moves them, they are read as they are."""
    body, sources = BODIES[name]
    source = source_of(function_of(HEAD + body + "\n}"), always(WITH_BROADCASTS))
    filled = [line.split(" = ")[1] for line in source.splitlines() if "_values[value" in line and "moved" not in line]
    assert all(any(read.startswith(each) for read in filled) for each in sources)
    assert bool(filled) == bool(sources)


@pytest.mark.parametrize("name", BODIES)
@pytest.mark.parametrize("is_told", [True, False], ids=["as the device", "in the kernel"])
def test_the_same_results(name: str, is_told: bool) -> None:
    target = TARGET if is_told else replace(TARGET, vector_registers=32, instructions=None)
    arguments = {
        "A": integers(ScalarType.F64, 4, 4, 2),
        "B": integers(ScalarType.F64, 4, 4, limit=3),
        "I": integers(ScalarType.F64, 4, 5, 7),
        "Q": integers(ScalarType.F64, 4, 5, 7, seed=1),
        "P": [integers(ScalarType.F64, 4, 5, seed=2 + element) for element in range(7)],
    }
    compare(function_of(HEAD + BODIES[name][0] + "\n}"), arguments, 7, tuning=LANES, target=always(target))


@pytest.mark.parametrize("holds", [dense(9, 9), np.eye(30, dtype=np.bool_)], ids=["many", "in many lines"])
def test_products(holds: Mask) -> None:
    """Nothing is read of what is known to be zero: the device's own choice, and that of one with AVX-512VL."""
    arguments = {
        "K": np.asfortranarray(np.where(holds, integers(ScalarType.F64, *holds.shape), 0.0)),
        "I": integers(ScalarType.F64, holds.shape[1], 4, 70),
        "Q": integers(ScalarType.F64, holds.shape[0], 4, 70),
    }
    for target in (TARGET, replace(TARGET, vector_registers=32)):
        compare(product(holds, 4, 1.0), arguments, 70, tuning=LANES, target=target)
