"""What each pass makes of a program: every file of `tests/tl_backend/passes/<pass>` is a text before and after."""

from pathlib import Path

import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes, passes_of_edition, run
from einsum_front.tl_backend.program import Edition, Function, Program
from einsum_front.tl_backend.unparse import unparse_function
from einsum_front.tl_backend.verify import verify

CASES = Path(__file__).parent / "passes"
FILES = sorted(CASES.rglob("*.tl"))
GPU = WorkGroupLimits(is_cpu=False, max_work_group_size=1024, subgroup_sizes=(32,))
ALL_PASSES = (*passes(GPU), passes_of_edition(Edition.TINYTC_0_3)[-1])
CPU = WorkGroupLimits(is_cpu=True, max_work_group_size=4096)


def split(path: Path) -> tuple[Function, str]:
    before, _, after = path.read_text(encoding="utf-8").partition("\n; becomes\n\n")
    return parse(Source(path.name, before)).functions[0], after


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_pass(path: Path) -> None:
    before, expected = split(path)
    assert verify(Program((before,))) == ()
    after = dict(ALL_PASSES)[path.parent.name](before)
    assert unparse_function(after) == expected
    assert verify(Program((after,))) == ()


def test_every_pass_has_a_file() -> None:
    assert {path.parent.name for path in FILES} == {name for name, _ in ALL_PASSES}


def test_a_cpu_gets_one_work_item_for_every_group() -> None:
    before, _ = split(CASES / "choose_work_group" / "rows_and_columns.tl")
    after = run(before, passes(CPU))
    assert after.work_group_size == (1, 1)


def test_observers_see_every_step_with_its_name() -> None:
    before, _ = split(CASES / "insert_barriers" / "write_then_read.tl")
    seen: list[tuple[str, Function]] = []
    after = run(before, passes(GPU), [lambda name, function: seen.append((name, function))])
    assert [name for name, _ in seen] == [name for name, _ in passes(GPU)]
    assert seen[-1][1] == after
