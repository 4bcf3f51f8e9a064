"""Whatever legal steps make of loops, it means the same: in their interpreter, and as a kernel tree in that one."""

import dataclasses
from contextlib import suppress
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.driver import ready
from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.tl_backend.loops.expressions import NoLoopsError
from einsum_front.tl_backend.loops.lanes import lanes_of
from einsum_front.tl_backend.loops.nodes import points
from einsum_front.tl_backend.loops.of_function import loops_of
from einsum_front.tl_backend.loops.parse import parse
from einsum_front.tl_backend.loops.unparse import unparse
from einsum_front.tl_backend.loops.verify import verify
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import Scheduled, schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from einsum_front.tl_backend.transforms.portable import form_of
from einsum_front.tl_backend.transforms.recipe import Line, Recipe
from examples.ader_dg import matrices
from tests.corpus.kernels import cases, translations
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


PARTS = 8
"""Tests that share the kernels of the corpus, for several processes."""

KERNELS_OF_ALL = 200
STEPS_OF_EACH, MOST_WALKS = 10, 40


@pytest.mark.slow
@pytest.mark.parametrize("part", range(PARTS))
def test_legal_steps_change_no_kernel_of_the_corpus(part: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """2,000 legal steps in all, of which a walk takes a few: a kernel has as many walks as it needs."""
    kernels = small_kernels()
    assert len(kernels) == KERNELS_OF_ALL
    for name, function in list(kernels.items())[part::PARTS]:
        monkeypatch.setitem(walks.functions(), name, function)
        seeds = iter(range(MOST_WALKS))
        taken = 0
        while taken < STEPS_OF_EACH:
            taken += len(check_walk(next(seeds), name).lines)


def small_kernels() -> dict[str, Function]:
    """Kernels of the corpus that have loops, each form once: those with the fewest products."""
    matrices.write(2)
    found: dict[str, tuple[int, Function]] = {}
    for case in cases():
        if case.target != "avx2" or case.order not in (None, 3):
            continue
        small = case if case.order is None else dataclasses.replace(case, order=2)
        for kernel in translations(small, walks.TARGET):
            whole = ready(kernel.tensor_language, walks.TARGET, Tuning(ScheduleKind.LOOPS))
            function = dataclasses.replace(whole, prologue=None)  # loops have its results as arguments
            with suppress(NoLoopsError):
                loops = loops_of(function)
                size = sum(count for _, count in points(loops.body))
                assert not verify(loops)
                if not lanes_of(function).are_columns:  # their elements are not those of the function
                    found.setdefault(form_of(function), (size, function))
    smallest = sorted(found.items(), key=lambda item: item[1][0])[:KERNELS_OF_ALL]
    return {form: function for form, (_, function) in smallest}


def check_walk(seed: int, name: str) -> Recipe:
    """Walks, and compares after each step; then the kernel tree, if the loops have code."""
    random, loops = Random(seed), walks.start(name)
    given_, recipe = walks.arguments(loops, ELEMENTS), Recipe(name)
    expected, roundings = walks.of_function(name, given_, ELEMENTS), walks.roundings_of(loops)
    assert walks.differences(walks.of_loops(loops, given_, ELEMENTS), expected, roundings) == []
    for _ in range(TRIES):
        text = walks.line(loops, random)
        after = walks.tried(loops, text)
        if after is None:
            continue
        loops, recipe = after, Recipe(name, (*recipe.lines, Line(text)))
        assert parse(Source("walk", unparse(loops))) == loops, f"{recipe}"
        found = walks.of_loops(loops, given_, ELEMENTS)
        assert walks.differences(found, expected, roundings) == [], f"{recipe}{unparse(loops)}"
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
    loops = walks.start(name)
    given_ = walks.arguments(loops, ELEMENTS)
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
    assert walks.differences(found, wanted, walks.roundings_of(loops)) == [], f"{recipe}"
