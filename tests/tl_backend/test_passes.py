"""No pass changes what a program means, and every rule holds after every pass."""

import pytest
from hypothesis import given

from tests.tl_backend.meaning import assert_same_meaning
from tests.tl_backend.strategies import Case, cases
from tl_backend.passes.choose_work_group import WorkGroupLimits
from tl_backend.pipeline import passes, run

PASSES = dict(passes(WorkGroupLimits(is_cpu=False, max_work_group_size=1024)))


@pytest.mark.parametrize("name", PASSES)
@given(case=cases())
def test_a_pass_keeps_the_meaning(name: str, case: Case) -> None:
    assert_same_meaning(PASSES[name](case.function), case)


@pytest.mark.parametrize("name", PASSES)
@given(case=cases())
def test_a_second_run_changes_nothing(name: str, case: Case) -> None:
    once = PASSES[name](case.function)
    assert PASSES[name](once) == once


@given(cases())
def test_all_passes_keep_the_meaning(case: Case) -> None:
    assert_same_meaning(run(case.function, PASSES.items()), case)
