"""Functions that are mostly suitable for this schedule: known sizes, at least one argument for each element, zeros."""

from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from hypothesis import strategies as st

from einsum_front.core.diagnostics import CompileError
from einsum_front.core.facts import Nonzeros, Values
from einsum_front.tl_backend.analysis.effects import argument_access
from einsum_front.tl_backend.builder import ALL, Builder
from einsum_front.tl_backend.interpret import interpret
from einsum_front.tl_backend.program import Batched, Fact, Function, Program
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type, canonical_strides
from einsum_front.tl_backend.verify import check
from tests.tl_backend.scribe import Memory, Scribe
from tests.tl_backend.steps import write
from tests.tl_backend.strategies import Case

LARGEST_ENTRY = 4
MOST_ELEMENTS = 25
"""Three vectors of eight lanes, and one element."""


@dataclass(frozen=True)
class Parameter:
    """An argument: how it is shared, the shape of one element and the entries of one element that may not be zero.

    Its values may be known when compiling.
    """

    name: str
    kind: str
    type: Type
    nonzeros: Any
    is_known: bool = False


@st.composite
def lane_cases(draw: st.DrawFn, elements: int = MOST_ELEMENTS, steps: int = 10) -> Case:
    """A function, arguments for some number of elements, and that number."""
    element = draw(st.sampled_from([ScalarType.F64, ScalarType.F32]))
    kinds = ["batched", *(draw(st.sampled_from(["one", "one", "batched", "grouped"])) for _ in range(draw(_few)))]
    parameters = [_parameter(draw, f"a{number}", kind, element) for number, kind in enumerate(kinds)]
    scalars = {f"s{number}": draw(st.integers(0, 3)) for number in range(draw(st.integers(0, 2)))}
    types = {each.name: each.type for each in parameters} | dict.fromkeys(scalars, element)
    scribe = Scribe(draw, Builder("generated", types), (element,))
    _open(scribe, parameters, scalars)
    write(scribe, draw(st.integers(1, steps)))
    groups = draw(st.integers(1, elements))
    random = np.random.default_rng(draw(st.integers(0, 99)))
    arguments = {each.name: _values(each, element, groups, random) for each in parameters}
    facts = tuple(fact for each in parameters for fact in _facts(each, arguments[each.name]))
    function = _without_broken_facts(scribe.builder.function(facts=facts), arguments | scalars, groups)
    return Case(function, arguments | scalars, groups)


def _without_broken_facts(function: Function, arguments: dict[str, Any], groups: int) -> Function:
    """The function without nonzeros of arguments that it writes, unless what it writes keeps to them."""
    access = argument_access(function)
    written = [fact for fact in function.facts if isinstance(fact, Nonzeros) and access[fact.argument].is_written]
    if not written:
        return function
    try:
        check(Program((function,)))
        interpret(function, deepcopy(arguments), groups)
    except CompileError:
        return replace(function, facts=tuple(fact for fact in function.facts if fact not in written))
    return function


_few = st.integers(1, 4)


def _parameter(draw: st.DrawFn, name: str, kind: str, element: ScalarType) -> Parameter:
    shape = tuple(draw(st.integers(1, 7)) for _ in range(draw(st.sampled_from([2, 2, 1, 3, 0]))))
    nonzeros = np.ones(shape, bool)
    if draw(st.booleans()):
        density = draw(st.sampled_from([0.2, 0.5, 0.9]))
        nonzeros = np.random.default_rng(draw(st.integers(0, 99))).random(shape) < density
    gap = draw(st.sampled_from([0, 0, 1]))
    strides = canonical_strides(tuple(size + gap for size in shape))
    memref = MemrefType(element, shape, strides)
    match kind:
        case "one":
            return Parameter(name, kind, memref, nonzeros, draw(st.booleans()))
        case "batched":
            distance = (shape[-1] * (strides[-1] or 1)) if shape else 1
            last = draw(st.sampled_from([distance, distance + 3]))
            return Parameter(name, kind, MemrefType(element, (*shape, None), (*strides, last)), nonzeros)
        case _:
            return Parameter(name, kind, GroupType(memref, draw(st.sampled_from([0, 2, None]))), nonzeros)


def _open(scribe: Scribe, parameters: list[Parameter], scalars: dict[str, int]) -> None:
    """The part of every argument that belongs to the element."""
    group = scribe.builder.group_id()
    arguments = {value.local.name: value for value in scribe.builder.arguments}
    for each in parameters:
        value, shape = arguments[each.name], each.nonzeros.shape
        memory = Memory(is_writable=each.kind != "one", bound=LARGEST_ENTRY, region=0)
        if each.kind == "batched":
            value = scribe.builder.subview(value, *[ALL] * len(shape), group)
        elif each.kind == "grouped":
            value = scribe.builder.load(value, group)
        scribe.tensor(value, shape, memory)
    for name, number in scalars.items():
        scribe.number(arguments[name], number, number)


def _values(parameter: Parameter, element: ScalarType, groups: int, random: np.random.Generator) -> Any:
    def item() -> Any:
        entries = random.integers(-LARGEST_ENTRY, LARGEST_ENTRY + 1, parameter.nonzeros.shape) * parameter.nonzeros
        return np.array(entries, DTYPES[element], order="F")

    match parameter.kind:
        case "one":
            return item()
        case "batched":
            return np.asfortranarray(np.stack([item() for _ in range(groups)], axis=-1))
        case _:
            return [item() for _ in range(groups)]


def _facts(parameter: Parameter, values: Any) -> list[Fact]:
    if parameter.is_known:
        return [Values(parameter.name, tuple(enumerate(map(float, values.ravel(order="F")))))]
    facts: list[Fact] = [Batched(parameter.name)] if parameter.kind == "batched" else []
    if not parameter.nonzeros.all():
        facts.append(Nonzeros(parameter.name, _runs(parameter.nonzeros.reshape(-1, order="F"))))
    return facts


def _runs(mask: Any) -> tuple[tuple[int, int], ...]:
    edges = np.flatnonzero(np.diff(np.concatenate(([0], mask.astype(np.int8), [0]))))
    return tuple((int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True))
