"""Texts of schedules: golden ones of each schedule, and what holds for those of all examples."""

from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.machines import MATRICES, SAPPHIRE_RAPIDS
from einsum_front.driver import Session, ready, translate_program
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import choose, schedule
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.text import schedule_text
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, read_tuning
from tests.tl_backend.opencl.harness import function_of

FOLDER = Path(__file__).with_name("text")
EXAMPLES = Path(__file__).parents[3] / "examples"
GPU = replace(
    DEFAULT, name="a GPU", is_cpu=False, has_conditional_barriers=True, has_prefetch=False, private_memory=16 * 1024
)
AVX512 = replace(
    DEFAULT, name="PoCL on Intel with AVX-512", vector_bytes=64, vector_registers=32,
    instructions="avx512f,avx512vl", machine=SAPPHIRE_RAPIDS,
)  # fmt: skip
TARGETS = {"": DEFAULT, ".gpu": GPU, ".avx512": AVX512, ".matrices": replace(GPU, matrices=MATRICES["sm_90"])}
GOLDEN = [
    ("sparse", "work_group", ""),
    ("sparse", "batch_simd", ""),
    ("sparse", "work_group", ".gpu"),
    ("sparse", "work_group", ".avx512"),
    ("sparse", "batch_simd", ".avx512"),
    ("large", "packed", ""),
    ("large", "tiled", ".gpu"),
    ("large", "tiled", ".matrices"),
    ("nest", "batch_simd", ""),
    ("nest", "work_group", ""),
    ("sparse", "columns", ".gpu"),
    ("nest", "columns", ".gpu"),
    ("sides", "columns", ".gpu"),
    ("rows", "model", ""),
    ("rows", "model", ".avx512"),
]
"""Functions, schedules, and the ends of targets' names."""


@pytest.mark.parametrize(("name", "kind", "ending"), GOLDEN, ids=[f"{n}-{k}{e}" for n, k, e in GOLDEN])
def test_golden_texts(name: str, kind: str, ending: str) -> None:
    """Of a function in each schedule; `python -m tests.tl_backend.schedules.test_text` writes them again."""
    assert text_of(name, kind, ending) == golden(name, kind, ending).read_text(encoding="utf-8")


def text_of(name: str, kind: str, ending: str) -> str:
    """What is said of the function in the file."""
    target, wanted = TARGETS[ending], None if kind == "model" else read_tuning(kind)
    function = function_of((FOLDER / f"{name}.tl").read_text(encoding="utf-8"))
    return schedule_text(schedule(ready(function, target, wanted), target, wanted, "as asked for"))


def golden(name: str, kind: str, ending: str) -> Path:
    """Where that is."""
    return FOLDER / f"{name}.{kind}{ending}.schedule"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ein")), ids=lambda path: path.stem)
def test_examples_have_the_cheapest_schedule(path: Path) -> None:
    """No other plan costs less, and the text starts with what was taken."""
    source = Source(str(path), path.read_text(encoding="utf-8"))
    for translation in translate_program(Session(DEFAULT), parse(source), path.parent):
        function = ready(translation.tensor_language, DEFAULT)
        choice = choose(function, DEFAULT)
        plans = [plan for plan in choice.rivals.values() if not isinstance(plan, Reason)]
        assert choice.plan.cost.time == min(plan.cost.time for plan in plans)
        found = translation.at(Level.SCHEDULE)
        text = schedule_text(schedule(function, DEFAULT))
        assert text.startswith(f"schedule {function.name}: {choice.kind.value}\n  why: {choice.reason}\n")
        assert found is not None
        for kind in ScheduleKind:
            plan = choice.rivals[kind]
            is_other = isinstance(plan, Reason) and plan.is_of_device  # for GPUs, or with a recipe
            assert (f"\n    {kind.value}: " in text) is not is_other


def test_what_a_plan_executes_is_at_least_what_the_function_needs() -> None:
    """36 of 64 entries of the matrix may differ from zero: 12 of 16 vectors of rows, for each of 9 columns."""
    function = function_of((FOLDER / "sparse.tl").read_text(encoding="utf-8"))
    by_schedule = {
        kind: schedule(function, DEFAULT, read_tuning(kind.value)).plan.issued
        for kind in (ScheduleKind.WORK_GROUP, ScheduleKind.BATCH_SIMD)
    }
    assert by_schedule == {ScheduleKind.WORK_GROUP: 12 * 4 * 9, ScheduleKind.BATCH_SIMD: 36 * 9}


def test_a_schedule_that_a_function_cannot_have_is_an_error() -> None:
    function = function_of((FOLDER / "nest.tl").read_text(encoding="utf-8"))
    with pytest.raises(CompileError, match="E0305"):
        schedule(function, DEFAULT, read_tuning("packed"))


if __name__ == "__main__":
    for each in GOLDEN:
        golden(*each).write_text(text_of(*each), encoding="utf-8")
