"""Kernels that run in stages: where they are cut, what is handed on, and that the results are the same."""

from dataclasses import replace

import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules import choice
from einsum_front.tl_backend.schedules.columns import stages
from einsum_front.tl_backend.schedules.columns.schedule import ColumnsPlan
from einsum_front.tl_backend.schedules.text import schedule_text
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning, read_tuning
from einsum_front.tl_backend.types import ScalarType
from tests.tl_backend.kernel.harness import compare, lower
from tests.tl_backend.opencl.harness import function_of, integers

GPU = replace(DEFAULT, is_cpu=False, vector_bytes=8, has_prefetch=False, has_conditional_barriers=True)

CHAIN = """;! batched %I
;! batched %Q
func @chain(%K: memref<f64x5x5>, %L: memref<f64x5x5>, %I: memref<f64x5x3x?>, %Q: memref<f64x5x3x?>) {
  %id = group_id
  %i = subview %I[:, :, %id] : memref<f64x5x3x?>
  %q = subview %Q[:, :, %id] : memref<f64x5x3x?>
  %t = alloca -> memref<f64x5x3>
  %u = alloca -> memref<f64x5x3>
  gemm.n.n 1.0, %K, %i, 0.0, %t : f64, memref<f64x5x5>, memref<f64x5x3>, f64, memref<f64x5x3>
  gemm.n.n 1.0, %L, %t, 0.0, %u : f64, memref<f64x5x5>, memref<f64x5x3>, f64, memref<f64x5x3>
  gemm.n.n 1.0, %K, %u, 1.0, %q : f64, memref<f64x5x5>, memref<f64x5x3>, f64, memref<f64x5x3>
}"""
"""75 multiplications in each of three products, and a temporary from each to the next."""

SMALL = """;! batched %Q
func @small(%K: memref<f64x5x5>, %Q: memref<f64x5x3x?>) {
  %id = group_id
  %q = subview %Q[:, :, %id] : memref<f64x5x3x?>
  %t = alloca -> memref<f64x5x3>
  axpby.n 1.0, %q, 0.0, %t : f64, memref<f64x5x3>, f64, memref<f64x5x3>
  gemm.n.n 1.0, %K, %t, 1.0, %q : f64, memref<f64x5x5>, memref<f64x5x3>, f64, memref<f64x5x3>
}"""


TWO = """;! batched %I
;! batched %R
;! batched %Q
func @two(%K: memref<f64x5x5>, %L: memref<f64x5x5>, %I: memref<f64x5x3x?>, %R: memref<f64x5x3x?>,
          %Q: memref<f64x5x3x?>) {
  %id = group_id
  %i = subview %I[:, :, %id] : memref<f64x5x3x?>
  %r = subview %R[:, :, %id] : memref<f64x5x3x?>
  %q = subview %Q[:, :, %id] : memref<f64x5x3x?>
  gemm.n.n 1.0, %K, %i, 0.0, %r : f64, memref<f64x5x5>, memref<f64x5x3>, f64, memref<f64x5x3>
  gemm.n.n 1.0, %L, %i, 1.0, %q : f64, memref<f64x5x5>, memref<f64x5x3>, f64, memref<f64x5x3>
  gemm.n.n 1.0, %K, %r, 1.0, %q : f64, memref<f64x5x5>, memref<f64x5x3>, f64, memref<f64x5x3>
}"""
"""Three products without a temporary: what the third one reads of the first one is an argument."""


def plan_of(text: str, tuning: str = "columns") -> stages.Staged:
    plan = choice.analyse(function_of(text, (1, 1)), GPU, read_tuning(tuning))
    assert isinstance(plan, ColumnsPlan)
    return plan.planned


def test_a_temporary_is_handed_on_in_memory_of_the_work_group() -> None:
    plan = plan_of(CHAIN, "columns:stages=3,elements=7")
    entries = stages.TURNS * 7 * 15
    assert [len(stage.groups) for stage in plan.stages] == [1, 1, 1]
    assert {base: len(place) for base, place in plan.handed.items()} == {"t": 8 * entries, "u": 8 * entries}
    kernel = lower(function_of(CHAIN, (1, 1)), GPU, read_tuning("columns:stages=3,elements=7"))
    assert kernel.scratch == plan.scratch >= 2 * 8 * entries
    assert plan_of(CHAIN).scratch == 0


@pytest.mark.parametrize("groups", [1, 2, 3, 5, 70])
@pytest.mark.parametrize("tuning", ["columns:stages=3,elements=1", "columns:stages=2,elements=2", "columns:stages=3"])
def test_stages_mean_what_the_function_means(tuning: str, groups: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With several elements for a work-group, work-groups that are not full, and turns that do not come out even."""
    monkeypatch.setattr(stages, "TURNS", 3)
    monkeypatch.setattr("einsum_front.tl_backend.schedules.columns.lower.TURNS", 3)
    matrices = {name: integers(ScalarType.F64, 5, 5, seed=seed, limit=2) for seed, name in enumerate("KL")}
    tensors = {name: integers(ScalarType.F64, 5, 3, groups, seed=seed) for seed, name in enumerate("IQ")}
    compare(function_of(CHAIN, (1, 1)), {**matrices, **tensors}, groups, tuning=read_tuning(tuning), target=GPU)


def test_an_argument_that_stages_share_is_read_again() -> None:
    arguments = {"K": integers(ScalarType.F64, 5, 5, limit=2), "Q": integers(ScalarType.F64, 5, 3, 9)}
    compare(function_of(SMALL, (1, 1)), arguments, 9, tuning=read_tuning("columns:stages=2"), target=GPU)


def test_what_outgrows_the_cache_for_instructions_has_stages(monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(plan_of(CHAIN).stages) == 1
    monkeypatch.setattr(stages, "MOST", 50)
    assert [len(stage.groups) for stage in plan_of(CHAIN).stages] == [1, 2]
    monkeypatch.setattr(stages, "MOST", 24)
    assert len(plan_of(CHAIN).stages) == 1  # a product by itself has 25 for a line


@pytest.mark.parametrize("groups", [1, 2, 5, 70])
@pytest.mark.parametrize("tuning", ["columns:stages=3,elements=1", "columns:stages=2,elements=2", "columns:stages=3"])
def test_stages_that_hand_on_nothing_are_launches(tuning: str, groups: int) -> None:
    assert plan_of(TWO, tuning).launches == int(tuning.partition("stages=")[2][0])
    kernel = lower(function_of(TWO, (1, 1)), GPU, read_tuning(tuning))
    assert (kernel.stages, kernel.scratch) == (plan_of(TWO, tuning).launches, 0)
    assert len(set(kernel.entries)) == kernel.stages
    matrices = {name: integers(ScalarType.F64, 5, 5, seed=seed, limit=2) for seed, name in enumerate("KL")}
    tensors = {name: integers(ScalarType.F64, 5, 3, groups, seed=seed) for seed, name in enumerate("IRQ")}
    compare(function_of(TWO, (1, 1)), {**matrices, **tensors}, groups, tuning=read_tuning(tuning), target=GPU)


def test_launches_are_cut_between_temporaries(monkeypatch: pytest.MonkeyPatch) -> None:
    assert plan_of(TWO).launches == 1
    monkeypatch.setattr(stages, "MOST", 50)
    assert [len(stage.groups) for stage in plan_of(TWO).stages] == [1, 2]
    assert plan_of(TWO).in_launches
    assert not plan_of(CHAIN).in_launches


def test_what_cannot_be_cut_is_refused() -> None:
    tuning = Tuning(ScheduleKind.COLUMNS, stages=3)
    with pytest.raises(CompileError) as caught:
        choice.schedule(function_of(SMALL, (1, 1)), GPU, tuning)
    assert caught.value.diagnostics[0].notes == ("its 2 instructions do not make 3 stages",)


def test_cuts_are_where_little_is_handed_on() -> None:
    sizes, crossing = [10, 10, 10, 10], [0, 9, 2, 5, 0]
    assert stages.best_bounds(sizes, crossing, 2, 100) == [0, 2, 4]
    assert stages.best_bounds(sizes, crossing, 3, 20) == [0, 2, 3, 4]
    assert stages.best_bounds(sizes, crossing, 2, 19) is None
    assert stages.best_bounds(sizes, crossing, 1, 40) == [0, 4]


def test_the_text_says_stages() -> None:
    plan = choice.analyse(function_of(CHAIN, (1, 1)), GPU, read_tuning("columns:stages=2"))
    assert isinstance(plan, ColumnsPlan)
    assert f"  2 stages, each for {stages.TURNS} turns before the next one, which hand on %t" in list(plan.explained())


def test_the_text_says_launches() -> None:
    text = schedule_text(choice.schedule(function_of(TWO, (1, 1)), GPU, read_tuning("columns:stages=3")))
    assert "      3 stages, each in a launch of its own\n" in text
    assert ", 3 launches for a batch\n" in text
