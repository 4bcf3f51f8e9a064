"""Columns of an element as the lanes of vectors: which functions have some, and what they compute."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from einsum_front.core.diagnostics import Source
from einsum_front.driver import ready
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.interpret_kernel import interpret_kernel
from einsum_front.tl_backend.interpret_loops import interpret_loops
from einsum_front.tl_backend.loops.lanes import lanes_of
from einsum_front.tl_backend.parse import parse
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind
from einsum_front.tl_backend.types import MemrefType, ScalarType
from tests.tl_backend.transforms.walks import TARGET

FILE = Path(__file__).with_name("columns.tl")
GROUPS = 2


@cache
def functions() -> dict[str, Function]:
    program = parse(Source(FILE.name, FILE.read_text(encoding="utf-8")))
    return {each.name: ready(each, TARGET, None) for each in program.functions}


NAMES = tuple(functions())


def arguments(function: Function, columns: int) -> dict[str, Any]:
    """Small whole numbers, zero where zeros are known."""
    random, found = np.random.default_rng(5), dict[str, Any]()
    known = {fact.argument: fact.runs for fact in function.facts if hasattr(fact, "runs")}
    values = {fact.argument: fact.entries for fact in function.facts if hasattr(fact, "entries")}
    for argument in function.arguments:
        name = argument.name.name
        if not isinstance(argument.type, MemrefType):
            found[name] = 3.0
            continue
        batch = function.batch_modes.get(name)
        shape = [size or (GROUPS if mode == batch else columns) for mode, size in enumerate(argument.type.shape)]
        array = random.integers(-4, 5, shape).astype(np.float32 if argument.type.element is ScalarType.F32 else float)
        if name in values:
            array = np.zeros_like(array)
            for position, value in values[name]:
                array.ravel(order="F")
                array[np.unravel_index(position, array.shape, order="F")] = value
        elif name in known:
            inside = {each for start, stop in known[name] for each in range(start, stop)}
            mask = np.array([each in inside for each in range(array.size)])
            array = array * mask.reshape(array.shape, order="F")
        found[name] = np.array(array, order="F")
    return found


def copied(given: dict[str, Any]) -> dict[str, Any]:
    return {name: value.copy(order="F") if isinstance(value, np.ndarray) else value for name, value in given.items()}


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith("not_")])
@pytest.mark.parametrize("columns", [1, 7, 75])
def test_each_column_is_computed_as_an_element_is(name: str, columns: int) -> None:
    """The model takes the recipe. Its loops and its kernel compute what the function says."""
    function = functions()[name]
    scheduled = schedule(function, TARGET)
    assert lanes_of(function).are_columns
    assert scheduled.tuning.kind is ScheduleKind.LOOPS
    given = arguments(function, columns)
    expected, of_loops, of_kernel = copied(given), copied(given), copied(given)
    interpret(function, expected, GROUPS)
    assert interpret_loops(scheduled, of_loops, GROUPS)
    interpret_kernel(scheduled, of_kernel, GROUPS)
    for each, value in expected.items():
        np.testing.assert_array_equal(of_loops[each], value)
        np.testing.assert_array_equal(of_kernel[each], value)


@pytest.mark.parametrize("name", [name for name in NAMES if name.startswith("not_")])
def test_modes_that_are_summed_or_cut_or_used_twice_are_no_columns(name: str) -> None:
    assert not lanes_of(functions()[name]).are_columns
