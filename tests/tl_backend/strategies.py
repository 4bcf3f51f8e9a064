"""Programs that keep all rules and leave nothing undefined, with arguments: their meaning can be computed and compared.

Every number that such a program makes is an integer of a known bound, in the floating-point types too. So sums and
products are exact, whatever their order, and results can be compared bit by bit between the interpreter, the program
after any pass, and a device. No result depends on the order of work-items or work-groups.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from hypothesis import strategies as st

from einsum_front.tl_backend.builder import ALL, Builder
from einsum_front.tl_backend.program import Batched, Function
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType, Type, canonical_strides
from tests.tl_backend.scribe import Memory, Scribe, packed
from tests.tl_backend.steps import write

FLOATING = (ScalarType.F32, ScalarType.F64)
ELEMENTS = (FLOATING, FLOATING, FLOATING, (ScalarType.I32,), (ScalarType.I64,))
"""Element types that may be mixed in one function."""

SCALARS = (ScalarType.F32, ScalarType.F64, ScalarType.I32, ScalarType.I64, ScalarType.INDEX)
LARGEST_ENTRY = 4


@dataclass(frozen=True)
class Case:
    """A function, arguments for it (NumPy arrays, lists of arrays for groups, numbers), and a number of groups."""

    function: Function
    arguments: dict[str, Any]
    groups: int


@st.composite
def cases(draw: st.DrawFn, steps: int = 10) -> Case:
    """Functions of up to so many steps (some steps are several instructions)."""
    groups, elements = draw(st.integers(1, 3)), draw(st.sampled_from(ELEMENTS))
    types, arguments, facts = _arguments(draw, elements, groups)
    scribe = Scribe(draw, Builder("generated", types), elements)
    _open_arguments(scribe, arguments, {fact.argument for fact in facts}, groups)
    write(scribe, draw(st.integers(3, steps)))
    return Case(scribe.builder.function(facts=facts), arguments, groups)


# -- arguments ---------------------------------------------------------------------------------------------------------


def _arguments(
    draw: st.DrawFn, elements: tuple[ScalarType, ...], groups: int
) -> tuple[dict[str, Type], dict[str, Any], tuple[Batched, ...]]:
    types: dict[str, Type] = {}
    arguments: dict[str, Any] = {}
    facts: list[Batched] = []
    random = np.random.default_rng(draw(st.integers(0, 99)))
    for position in range(draw(st.integers(2, 5))):
        name = f"a{position}"
        element, order = draw(st.sampled_from(elements)), draw(st.sampled_from([2, 1, 0, 3, 2]))
        shape = tuple(draw(st.integers(1, 5)) for _ in range(order))
        match draw(st.sampled_from(["scalar", "one", "one", "batched", "grouped", "batched", "grouped"])):
            case "scalar":
                types[name] = draw(st.sampled_from(SCALARS))
                arguments[name] = int(random.integers(0, LARGEST_ENTRY))
            case "one":
                types[name] = _layout(draw, element, shape)
                arguments[name] = _entries(random, element, shape)
            case "batched":
                types[name] = packed(element, *shape, draw(st.sampled_from([None, groups])))
                arguments[name] = _entries(random, element, (*shape, groups))
                facts.append(Batched(name))
            case _:
                types[name] = GroupType(_layout(draw, element, shape), draw(st.sampled_from([0, 0, 2, None])))
                arguments[name] = [_entries(random, element, shape) for _ in range(groups)]
    return types, arguments, tuple(facts)


def _layout(draw: st.DrawFn, element: ScalarType, shape: tuple[int, ...]) -> MemrefType:
    """A type for the shape: some sizes dynamic, packed or with gaps, some strides dynamic."""
    sizes = tuple(draw(st.sampled_from([size, size, None])) for size in shape)
    if draw(st.booleans()):
        return packed(element, *sizes)
    strides = tuple(
        draw(st.sampled_from([stride, None])) if mode else stride
        for mode, stride in enumerate(canonical_strides(tuple(size + 1 for size in shape)))
    )
    return MemrefType(element, sizes, strides)


def _entries(random: np.random.Generator, element: ScalarType, shape: tuple[int, ...]) -> Any:
    return np.array(random.integers(-LARGEST_ENTRY, LARGEST_ENTRY + 1, shape), DTYPES[element], order="F")


def _open_arguments(scribe: Scribe, arguments: dict[str, Any], batched: set[str], groups: int) -> None:
    """What the arguments are to a work-group: numbers, shared tensors, and its own part of the others."""
    group = scribe.number(scribe.builder.group_id(), 0, groups - 1).value
    for value in scribe.builder.arguments:
        given = arguments[value.local.name]
        match value.type:
            case ScalarType():
                scribe.number(value, given, given)
            case GroupType():
                memory = Memory(is_writable=True, bound=LARGEST_ENTRY, region=0)
                scribe.tensor(scribe.builder.load(value, group), given[0].shape, memory)
            case MemrefType(shape=shape):
                is_own = value.local.name in batched
                memory = Memory(is_writable=is_own or groups == 1, bound=LARGEST_ENTRY, region=0)
                if not is_own and scribe.integer(0, 1):
                    memory.groups = groups
                if is_own:
                    part = scribe.builder.subview(value, *[ALL] * (len(shape) - 1), group)
                    scribe.tensor(part, given.shape[:-1], memory)
                else:
                    scribe.tensor(value, given.shape, memory)
