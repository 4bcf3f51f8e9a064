"""Texts of schedules: golden ones of each schedule, and what holds for those of all examples."""

from dataclasses import replace
from pathlib import Path

import pytest

from einsum_front.diagnostics import CompileError, Source
from einsum_front.driver import Session, ready, translate_program
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import choose, schedule
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.text import schedule_text
from einsum_front.tl_backend.schedules.tuning import Form, read_tuning
from tests.tl_backend.opencl.harness import function_of

FOLDER = Path(__file__).with_name("text")
EXAMPLES = Path(__file__).parents[3] / "examples"
GPU = replace(
    DEFAULT, name="a GPU", is_cpu=False, has_conditional_barriers=True, has_prefetch=False, private_memory=16 * 1024
)
GOLDEN = [
    (path, form, target)
    for path, form, target in (
        ("sparse", "group", DEFAULT),
        ("sparse", "lanes", DEFAULT),
        ("sparse", "group", GPU),
        ("large", "tiles", DEFAULT),
        ("nest", "lanes", DEFAULT),
        ("nest", "group", DEFAULT),
    )
]


@pytest.mark.parametrize(("name", "form", "target"), GOLDEN, ids=[f"{n}-{f}-{t.name}" for n, f, t in GOLDEN])
def test_golden_texts(name: str, form: str, target: object) -> None:
    """Of a function in each schedule; `python -m tests.tl_backend.schedules.test_text` writes them again."""
    assert text_of(name, form, target is GPU) == golden(name, form, target is GPU).read_text(encoding="utf-8")


def text_of(name: str, form: str, is_gpu: bool) -> str:
    """What is said of the function in the file."""
    target, wanted = GPU if is_gpu else DEFAULT, read_tuning(form)
    function = function_of((FOLDER / f"{name}.tl").read_text(encoding="utf-8"))
    return schedule_text(schedule(ready(function, target, wanted), target, wanted, "as asked for"))


def golden(name: str, form: str, is_gpu: bool) -> Path:
    """Where that is."""
    return FOLDER / f"{name}.{form}{'.gpu' if is_gpu else ''}.schedule"


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
        assert text.startswith(f"schedule {function.name}: {choice.form.value}\n  why: {choice.reason}\n")
        assert found is not None
        for form in Form:
            assert f"\n    {form.value}: " in text


def test_what_a_plan_executes_is_at_least_what_the_function_needs() -> None:
    """36 of 64 entries of the matrix may differ from zero: 12 of 16 vectors of rows, for each of 9 columns."""
    function = function_of((FOLDER / "sparse.tl").read_text(encoding="utf-8"))
    by_form = {
        form: schedule(function, DEFAULT, read_tuning(form.value)).plan.executed for form in (Form.GROUP, Form.LANES)
    }
    assert by_form == {Form.GROUP: 12 * 4 * 9, Form.LANES: 36 * 9}


def test_a_schedule_that_a_function_cannot_have_is_an_error() -> None:
    function = function_of((FOLDER / "nest.tl").read_text(encoding="utf-8"))
    with pytest.raises(CompileError, match="E0305"):
        schedule(function, DEFAULT, read_tuning("tiles"))


if __name__ == "__main__":
    for name, form, target in GOLDEN:
        golden(name, form, target is GPU).write_text(text_of(name, form, target is GPU), encoding="utf-8")
