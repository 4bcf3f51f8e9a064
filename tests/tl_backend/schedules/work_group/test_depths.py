"""Products leave out what is known to be zero by vectors of rows, and mean what the interpreter says."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from einsum_front.core.machines import AVX512
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import choose
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.schedules.work_group.register_blocks import active_vectors, find_stages, work_of
from einsum_front.tl_backend.targets.text import TreeText
from einsum_front.tl_backend.types import ScalarType
from tests.profiles import share
from tests.tl_backend.kernel.harness import compare as compare_tree
from tests.tl_backend.kernel.harness import lower
from tests.tl_backend.opencl.harness import TARGET, compare, expect, function_of, integers, run

MASKS = arrays(np.bool_, st.tuples(st.integers(1, 24), st.integers(1, 24)))
GROUP = Tuning(ScheduleKind.WORK_GROUP)
BLOCKS = DEFAULT.machine.work_group.blocks
ON_CPU = pytest.mark.skipif(not TARGET.is_cpu, reason="only CPUs have vectors along the rows")


def product(holds: Mask, columns: int, op: str = "n", beta: float = 1.0, real: str = "f64") -> Function:
    """A product of a constant that has these entries, or of its transpose, and a matrix of each element."""
    rows, depth = holds.shape
    stored = holds if op == "n" else holds.T
    nonzeros = " ".join(str(number) for number in np.flatnonzero(stored.ravel(order="F")))
    k, i = f"memref<{real}x{stored.shape[0]}x{stored.shape[1]}>", f"memref<{real}x{depth}x{columns}>"
    q = f"memref<{real}x{rows}x{columns}>"
    all_i, all_q = i.replace(">", "x?>"), q.replace(">", "x?>")
    return function_of(f"""
    ;! nonzeros %K {nonzeros}
    func @f(%K: {k}, %I: {all_i}, %Q: {all_q}) {{
      %id = group_id
      %i = subview %I[:, :, %id] : {all_i}
      %q = subview %Q[:, :, %id] : {all_q}
      gemm.{op}.n 2.0, %K, %i, {beta}, %q : {real}, {k}, {i}, {real}, {q}
    }}""")


def stair(rows: int, depth: int) -> Mask:
    """Entries below a diagonal from corner to corner."""
    return np.arange(depth)[None, :] * rows <= np.arange(rows)[:, None] * depth


@given(MASKS, st.integers(1, 9))
def test_stages_hold_all_that_is_active_in_order(active: Mask, columns: int) -> None:
    stages = find_stages(active, work_of(len(active), columns), BLOCKS)
    covered = np.zeros_like(active)
    for stage in stages:
        assert stage.start < stage.stop
        assert stage.vectors
        covered[sorted(stage.vectors), stage.start : stage.stop] = True
    assert covered[active].all()
    assert all(one.stop <= other.start for one, other in pairwise(stages))
    wasted = int((covered & ~active).sum())
    assert wasted * columns / 2 <= BLOCKS.loop * active.shape[1]


def test_the_stages_of_a_triangle() -> None:
    active = active_vectors(np.repeat(np.triu(np.ones((3, 30), np.bool_)), [4, 4, 4], axis=0), 4, None, BLOCKS)
    assert active is None
    rows = np.zeros((12, 40), np.bool_)
    rows[:4], rows[4:8, 10:], rows[8:, 30:] = True, True, True
    active = active_vectors(rows, 4, None, BLOCKS)
    assert active is not None
    stages = [(stage.start, stage.stop, sorted(stage.vectors)) for stage in find_stages(active, work_of(3, 4), BLOCKS)]
    assert stages == [(0, 10, [0]), (10, 30, [0, 1]), (30, 40, [0, 1, 2])]


def test_short_stages_are_joined() -> None:
    active = np.ones((2, 20), np.bool_)
    active[1, 5:7] = False
    assert len(find_stages(active, work_of(2, 2), BLOCKS)) == 1
    assert len(find_stages(active, work_of(2, 12), BLOCKS)) == 3


def test_the_last_vector_ends_with_the_last_row() -> None:
    summands = np.zeros((6, 2), np.bool_)
    summands[2, 1] = True
    active = active_vectors(summands, 4, None, BLOCKS)
    assert active is not None
    assert active.tolist() == [[False, True], [False, True]]
    assert active.mean() <= BLOCKS.left


@ON_CPU
@share(0.25, of_long=0.4)
@given(
    st.sampled_from([ScalarType.F32, ScalarType.F64]),
    st.integers(1, 70),
    st.integers(1, 12),
    st.integers(1, 40),
    st.sampled_from("nt"),
    st.sampled_from([0.0, 1.0, -0.5]),
    st.sampled_from([0.02, 0.1, 0.5]),
    st.integers(0, 99),
)
def test_products_with_zeros(  # one parameter for each thing that varies
    real: ScalarType, rows: int, columns: int, depth: int, op: str, beta: float, density: float, seed: int
) -> None:
    random = np.random.default_rng(seed)
    holds = random.random((rows, depth)) < density if seed % 2 else stair(rows, depth)
    stored = holds if op == "n" else holds.T
    given_ = {
        "K": np.asfortranarray(integers(real, *stored.shape, seed=seed) * stored),
        "I": integers(real, depth, columns, 3, seed=seed + 1),
        "Q": integers(real, rows, columns, 3, seed=seed + 2),
    }
    compare(product(holds, columns, op, beta, real.value), given_, 3, tuning=GROUP)


def sparse_product(holds: Mask, rows: int) -> Function:
    """A matrix of each element times a constant that has these entries."""
    depth, columns = holds.shape
    nonzeros = " ".join(str(number) for number in np.flatnonzero(holds.ravel(order="F")))
    k, i, q = (f"memref<f64x{m}x{n}>" for m, n in ((depth, columns), (rows, depth), (rows, columns)))
    all_i, all_q = i.replace(">", "x?>"), q.replace(">", "x?>")
    return function_of(f"""
    ;! nonzeros %K {nonzeros}
    func @f(%K: {k}, %I: {all_i}, %Q: {all_q}) {{
      %id = group_id
      %i = subview %I[:, :, %id] : {all_i}
      %q = subview %Q[:, :, %id] : {all_q}
      gemm.n.n 2.0, %i, %K, 1.0, %q : f64, {i}, {k}, f64, {q}
    }}""")


UNROLLED = replace(DEFAULT, vector_bytes=64, vector_registers=32, machine=AVX512)
"""A target that leaves out columns at each depth."""


@ON_CPU
@share(0.3)
@given(st.integers(1, 40), st.integers(1, 12), st.integers(1, 9), st.sampled_from([0.1, 0.3, 0.9]), st.integers(0, 99))
def test_products_with_sparse_right_factors(rows: int, columns: int, depth: int, density: float, seed: int) -> None:
    holds = np.random.default_rng(seed).random((depth, columns)) < density
    arguments = {
        "K": np.asfortranarray(integers(ScalarType.F64, depth, columns, seed=seed) * holds),
        "I": integers(ScalarType.F64, rows, depth, 3, seed=seed + 1),
        "Q": integers(ScalarType.F64, rows, columns, 3, seed=seed + 2),
    }
    compare_tree(sparse_product(holds, rows), arguments, 3, tuning=GROUP, target=UNROLLED)


def test_the_code_of_a_sparse_right_factor() -> None:
    holds = np.zeros((9, 9), np.bool_)
    holds[0, 3] = holds[4, 4] = holds[4, 8] = True
    file = lower(sparse_product(holds, 10), UNROLLED, GROUP).file
    updates = [line.strip() for line in TreeText().unparse(file).splitlines() if "+= a" in line]
    assert updates == [
        "sum[3] += a0 * b3;",
        "last[3] += a1 * b3;",
        "sum[4] += a0 * b4;",
        "last[4] += a1 * b4;",
        "sum[8] += a0 * b8;",
        "last[8] += a1 * b8;",
    ]


@ON_CPU
def test_the_code_of_stages() -> None:
    source = emit(product(stair(32, 32), 4), DEFAULT, GROUP).source
    loops = [line.strip() for line in source.splitlines() if "for (int k" in line]
    assert loops[0].startswith("for (int k = 0; k < ")
    assert loops[-1].endswith("k < 32; ++k) {")
    assert len(loops) > 2


@ON_CPU
def test_rows_without_anything_are_not_touched() -> None:
    holds = np.zeros((16, 8), np.bool_)
    holds[4:8, 2:5] = True
    source = emit(product(holds, 1), DEFAULT, GROUP).source
    assert [line.split(" = ")[0].strip() for line in source.splitlines() if "sum[" in line and "q" in line] == [
        "*(global double4_u *)(q + 4)"
    ]


@ON_CPU
def test_what_is_known_to_be_zero_may_be_anything_where_its_vector_is_left_out() -> None:
    holds = np.zeros((32, 8), np.bool_)
    holds[:16, :4] = holds[16:, 4:] = True  # whole vectors, however wide
    arguments = {
        "K": np.asfortranarray(np.where(holds, 1.0, np.nan)),
        "I": integers(ScalarType.F64, 8, 5, 2),
        "Q": integers(ScalarType.F64, 32, 5, 2, seed=1),
    }
    clean = {**arguments, "K": np.asfortranarray(np.where(holds, 1.0, 0.0))}
    function = product(holds, 5)
    result = run(function, arguments, 2, tuning=GROUP)
    np.testing.assert_array_equal(result["Q"], expect(function, clean, 2)["Q"])


def test_the_model_knows_what_is_left_out() -> None:
    dense, sparse = np.ones((40, 40), np.bool_), stair(40, 40)
    assert choose(product(dense, 9), DEFAULT).kind is ScheduleKind.WORK_GROUP
    chosen = choose(product(sparse, 9), DEFAULT)
    assert chosen.kind is ScheduleKind.WORK_GROUP
    scattered = np.random.default_rng(0).random((40, 40)) < 0.1
    assert choose(product(scattered, 9), DEFAULT).kind is ScheduleKind.BATCH_SIMD
