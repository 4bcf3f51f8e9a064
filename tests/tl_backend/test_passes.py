"""No pass changes what a program means, and every rule holds after every pass."""

from copy import deepcopy
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from tests.tl_backend.strategies import Case, cases
from tl_backend.interpret import interpret
from tl_backend.passes.choose_work_group import WorkGroupLimits
from tl_backend.pipeline import passes, run
from tl_backend.program import Function, Program
from tl_backend.verify import verify

PASSES = dict(passes(WorkGroupLimits(is_cpu=False, max_work_group_size=1024)))


def results(function: Function, case: Case) -> list[Any]:
    """All arguments after a run."""
    arguments = deepcopy(case.arguments)
    interpret(function, arguments, case.groups)
    return [array for value in arguments.values() for array in (value if isinstance(value, list) else [value])]


def assert_same_meaning(after: Function, case: Case) -> None:
    assert verify(Program((after,))) == ()
    for one, other in zip(results(case.function, case), results(after, case), strict=True):
        np.testing.assert_array_equal(one, other)


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
