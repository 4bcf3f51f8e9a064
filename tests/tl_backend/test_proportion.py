"""Twice the text is twice the work: what is counted are calls, since no clock belongs into a test."""

from collections.abc import Callable
from cProfile import Profile
from functools import partial

import pytest

from benchmarks.long_text import long_text
from einsum_front.core.diagnostics import Source
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.passes.choose_work_group import WorkGroupLimits
from einsum_front.tl_backend.pipeline import passes
from einsum_front.tl_backend.program import Program
from einsum_front.tl_backend.unparse import unparse
from einsum_front.tl_backend.verify import check

MOST = 2.5
"""Times as many calls for a text of twice the length; sorting, and lists that grow, cost a little more than twice."""


def calls(action: Callable[[], object]) -> int:
    """How many functions are called, those of the interpreter included."""
    profile = Profile(subcalls=False)
    profile.runcall(action)
    return sum(each.callcount for each in profile.getstats())


def program(lines: int) -> Program:
    return parse(Source("long.tl", long_text(lines)))


def test_reading_checking_and_printing() -> None:
    program(10)  # builds the parser
    short, long = (Source("long.tl", long_text(lines)) for lines in (500, 1000))
    assert calls(lambda: parse(long)) < MOST * calls(lambda: parse(short))
    read_short, read_long = parse(short), parse(long)
    assert calls(lambda: check(read_long)) < MOST * calls(lambda: check(read_short))
    assert calls(lambda: unparse(read_long)) < MOST * calls(lambda: unparse(read_short))


STEPS = dict(passes(WorkGroupLimits(is_cpu=False, max_work_group_size=1024)))


@pytest.mark.parametrize("name", STEPS)
def test_passes(name: str) -> None:
    unique = [STEPS["make_names_unique"](program(lines).functions[0]) for lines in (250, 500)]
    short, long = (calls(partial(STEPS[name], function)) for function in unique)
    assert long < MOST * short
