"""Tiles of work-groups compute what the interpreter says, for sizes around every boundary of a tile."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.machines import MATRICES
from einsum_front.core.matrices import MatrixInstruction
from einsum_front.core.storage import ElementType
from einsum_front.tl_backend.emit import emit
from einsum_front.tl_backend.opencl.target import DEFAULT, Target
from einsum_front.tl_backend.schedules.choice import analyse, choose, schedule, with_work_group
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tiled.schedule import TiledPlan
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning, read_tuning
from tests.profiles import share
from tests.tl_backend.kernel.harness import compare as compare_trees
from tests.tl_backend.opencl.harness import compare, function_of, integers
from tests.tl_backend.schedules.packed.test_meaning import F32, F64, NEST, gemm, matrices, strided_rows

GPU = replace(
    DEFAULT, name="a GPU", is_cpu=False, vector_bytes=8, has_prefetch=False, has_conditional_barriers=True,
    local_memory=48 * 1024, private_memory=16 * 1024, compute_units=132,
)  # fmt: skip
TILED = Tuning(ScheduleKind.TILED)
SIZES = st.integers(1, 70)
OPS = st.sampled_from(["n.n", "n.t", "t.n", "t.t"])
BETAS = st.sampled_from(["0.0", "1.0", "-0.5", "%beta"])


def batch(size: int) -> str:
    """Square matrices for each element, by one for all."""
    of_one = f"memref<f64x{size}x{size}>"
    of_all = f"memref<f64x{size}x{size}x?>"
    return f"""func @f(%A: {of_all}, %B: {of_one}, %C: {of_all}) {{
        %g = group_id
        %a = subview %A[0:{size}, 0:{size}, %g] : {of_all}
        %c = subview %C[0:{size}, 0:{size}, %g] : {of_all}
        gemm.n.n 1.0, %a, %B, 0.0, %c : f64, {of_one}, {of_one}, f64, {of_one}
    }}"""


@given(SIZES, SIZES, SIZES, OPS, BETAS, st.sampled_from(["1x1", "2x1", "2x4", "4x2", "8x1"]))
@share(0.04)
def test_products_of_every_size(m: int, n: int, k: int, ops: str, beta: str, block: str) -> None:
    function = function_of(gemm(m, n, k, ops, beta))
    compare(function, matrices(function, F64), tuning=read_tuning(f"tiled:block={block}"), target=GPU)


@pytest.mark.parametrize(("m", "n", "k", "ops"), [(20, 33, 17, "n.n"), (5, 18, 9, "t.t")])
def test_the_kernel_tree_means_the_same(m: int, n: int, k: int, ops: str) -> None:
    function = function_of(gemm(m, n, k, ops, "%beta"))
    compare_trees(function, matrices(function, F64), tuning=TILED, target=GPU)


@pytest.mark.parametrize("by", [*MATRICES.values(), MatrixInstruction(16, 16, 4, 64, ElementType.F64)], ids=str)
@pytest.mark.parametrize(
    ("m", "n", "k", "ops", "block"),
    [(64, 64, 64, "n.n", "4x4"), (40, 70, 37, "t.n", "2x4"), (30, 33, 70, "n.t", "4x2"), (64, 9, 16, "t.t", "8x2")],
)
def test_sub_groups_multiply_matrices(by: MatrixInstruction, m: int, n: int, k: int, ops: str, block: str) -> None:
    function, target = function_of(gemm(m, n, k, ops, "%beta")), replace(GPU, matrices=by)
    tuning = read_tuning(f"tiled:block={block}")
    assert f"m{by.rows}n{by.columns}k{by.depth}" in emit(function, target, tuning).source
    compare_trees(function, matrices(function, F64), tuning=tuning, target=target)


def test_matrices_are_for_double_precision_and_enough_depths() -> None:
    target = replace(GPU, matrices=MATRICES["sm_90"])
    for text in (gemm(64, 64, 15), strided_rows(64, 9, 64, 64, "1.0", "f32", are_near=True)):
        assert "mma" not in emit(function_of(text), target, TILED).source


def test_the_model_takes_matrices_for_elements_that_fill_them() -> None:
    tensor_cores = replace(GPU, matrices=MATRICES["sm_90"])
    kinds = [choose(function_of(batch(size)), tensor_cores).kind is ScheduleKind.TILED for size in (40, 56, 64)]
    assert kinds == [False, True, True]
    assert choose(function_of(batch(64)), GPU).kind is not ScheduleKind.TILED


def test_small_elements_of_a_batch_keep_all_units_busy_and_large_ones_do_not() -> None:
    for size, tiles in ((64, 1), (128, 2), (512, 128)):
        plan = schedule(function_of(batch(size)), GPU, TILED).plan
        assert isinstance(plan, TiledPlan)
        assert plan.sizes.groups == tiles


def test_a_nest_of_loops_over_a_batch() -> None:
    arguments = {"A": integers(F64, 5, 7, 6, 3), "B": integers(F64, 7, 5, 6, 9), "C": integers(F64, 7, 7, 9, 3)}
    compare(function_of(NEST), arguments, 3, tuning=TILED, target=GPU)


def test_rows_of_several_indices_in_single_precision() -> None:
    function = function_of(strided_rows(14, 9, 20, 30, "1.0", "f32", are_near=True))
    compare(function, matrices(function, F32), tuning=read_tuning("tiled:block=4x2"), target=GPU)


def test_long_sums_are_sums_of_parts() -> None:
    function = function_of(gemm(3, 5, 2100))
    compare(function, matrices(function, F64), tuning=TILED, target=GPU)
    assert "part_sum" in emit(function, GPU, TILED).source
    assert "part_sum" not in emit(function_of(gemm(3, 5, 1024)), GPU, TILED).source


def test_a_beta_of_zero_at_run_time_does_not_read_the_target() -> None:
    function = function_of(gemm(20, 20, 20, beta="%beta"))
    arguments = matrices(function, F64, beta=0.0)
    arguments["C"][...] = float("nan")
    compare(function, arguments, tuning=TILED, target=GPU)


def test_the_model_takes_it_without_a_batch_and_for_large_elements_only() -> None:
    assert choose(function_of(gemm(300, 300, 300)), GPU).kind is ScheduleKind.TILED
    assert choose(function_of(gemm(4, 4, 4)), GPU).kind is not ScheduleKind.TILED
    assert choose(function_of(NEST), GPU).kind is not ScheduleKind.TILED


def test_the_passes_leave_copies_to_it() -> None:
    function = function_of(gemm(300, 300, 300))
    assert with_work_group(function, None, GPU).work_items == (1, 1)


def test_small_targets_have_more_tiles() -> None:
    large = schedule(function_of(gemm(4096, 4096, 64)), GPU, TILED).plan
    small = schedule(function_of(gemm(256, 256, 64)), GPU, TILED).plan
    assert next(each for each in large.explained() if "work-items" in each).endswith(
        "4 rows x 8 columns in registers each"
    )
    assert "rows: m=256, in 16 tiles of 16, bound to work-groups" in list(small.explained())


@pytest.mark.parametrize(("text", "target", "wanted", "reason"), [
    (gemm(9, 9, 9), DEFAULT, "tiled", f"{DEFAULT.name} is a CPU"),
    (gemm(9, 9, 9), GPU, "tiled:block=3x4", "a block has 1, 2, 4 or 8 rows, and as many columns"),
    (gemm(9, 9, 1024 * 257), GPU, "tiled", "the sums of 257 parts would be added one after the other"),
    (gemm(9, 9, 9), replace(GPU, max_work_group_size=64), "tiled", "a GPU has no work-groups of 256 work-items"),
    (gemm(9, 9, 9), replace(GPU, local_memory=1024), "tiled", "the local memory of a work-group is too small"),
])  # fmt: skip
def test_what_has_no_tiles(text: str, target: Target, wanted: str, reason: str) -> None:
    assert analyse(function_of(text), target, read_tuning(wanted)) == Reason(reason, is_of_device=target.is_cpu)
