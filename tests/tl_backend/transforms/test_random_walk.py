"""Whatever legal steps make of loops, it means the same: in their interpreter, and as a kernel tree in that one."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.tl_backend.loops.parse import parse
from einsum_front.tl_backend.loops.unparse import unparse
from einsum_front.tl_backend.schedules.choice import Scheduled, schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.transforms.recipe import Line, Recipe
from tests.profiles import share
from tests.tl_backend.transforms import walks

STEPS = 8
"""Legal steps of a walk at most."""

TRIES = 60
ELEMENTS = 11
"""Elements of a run: no multiple of a vector."""


@pytest.mark.generated
@share(0.2, of_long=1.0)  # each walks, and runs every step of it
@given(st.integers(0, 2**32), st.sampled_from(sorted(walks.functions())))
def test_legal_steps_change_no_meaning(seed: int, name: str) -> None:
    check_walk(seed, name)


def check_walk(seed: int, name: str) -> Recipe:
    """Walks, and compares after each step; then the kernel tree, if the loops have code."""
    random, loops = Random(seed), walks.start(name)
    given_, recipe = walks.arguments(loops, ELEMENTS), Recipe(name)
    expected = walks.of_function(name, given_, ELEMENTS)
    assert walks.differences(walks.of_loops(loops, given_, ELEMENTS), expected) == []
    for _ in range(TRIES):
        text = walks.line(loops, random)
        after = walks.tried(loops, text)
        if after is None:
            continue
        loops, recipe = after, Recipe(name, (*recipe.lines, Line(text)))
        assert parse(Source("walk", unparse(loops))) == loops, f"{recipe}"
        assert walks.differences(walks.of_loops(loops, given_, ELEMENTS), expected) == [], f"{recipe}{unparse(loops)}"
        if len(recipe.lines) == STEPS:
            break
    check_kernel(name, recipe)
    return recipe


def has_code(scheduled: Scheduled) -> bool:
    """False if the loops have no code, and the error says so."""
    try:
        scheduled.lower()
    except CompileError as error:
        if {each.code for each in error.diagnostics} != {"E0913"}:
            raise
        return False
    return True


def check_kernel(name: str, recipe: Recipe) -> None:
    """What the recipe makes as a kernel, against the function."""
    function = walks.functions()[name]
    given_ = walks.arguments(walks.start(name), ELEMENTS)
    expected = walks.of_function(name, given_, ELEMENTS)
    scheduled = schedule(function, walks.TARGET, Tuning(ScheduleKind.LOOPS, recipe=recipe))
    mine = walks.views(function, given_)
    if not has_code(scheduled):
        return
    try:
        interpret_kernel(scheduled, mine, ELEMENTS)
    except CompileError as error:
        raise AssertionError(f"{error}\n{recipe}") from error
    found = {name: np.moveaxis(mine[name], mode, 0) for name, mode in function.batch_modes.items()}
    wanted = {name: expected[name] for name in found}
    assert walks.differences(found, wanted) == [], f"{recipe}"
