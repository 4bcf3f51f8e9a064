"""How often a nest of loops waits for memory: a model of what is near a core when it is needed.

Two things are near: the pages whose addresses are translated, and the lines of the first cache. Both hold so many in
each of their sets, and tensors whose extents are powers of two fill few sets. An operand is read again in a loop that
it does not depend on, and the same line in a loop of small strides, as long as what is touched in an iteration stays
near; otherwise a part of it is fetched again: of what wants to be in a set, that of its own and what others have in a
set on average, as much as does not fit.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

NEAR_BYTES = 32 * 1024
"""Operands that take no more are near after the first touch."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop over `count` positions, and the bytes from one to the next for each operand; None: it stays where it is.

    If a loop inside runs over blocks of some of these positions, this one takes a step for each `block`.
    """

    count: int
    strides: tuple[int | None, ...]
    block: int = 1

    @property
    def extent(self) -> int:
        """The number of iterations."""
        return -(-self.count // self.block)


@dataclass(frozen=True, slots=True)
class Near:
    """Units of `unit` bytes in `sets` of `ways` each."""

    unit: int
    sets: int
    ways: int


PAGES = Near(unit=4096, sets=1, ways=64)
LINES = Near(unit=64, sets=64, ways=8)


@dataclass(frozen=True, slots=True)
class Fetched:
    """How many pages and lines are fetched."""

    pages: float
    lines: float


NOTHING = Fetched(0.0, 0.0)


def fetched(nest: Sequence[Loop]) -> Fetched:
    """What a nest fetches, the innermost loop first."""
    loops = [loop for loop in nest if loop.extent > 1]
    reach = sum((loop.count - 1) * stride for loop in loops for stride in loop.strides if stride is not None)
    return NOTHING if reach <= NEAR_BYTES else Fetched(_fetched(PAGES, loops), _fetched(LINES, loops))


def _fetched(near: Near, loops: Sequence[Loop]) -> float:
    """How many units are fetched: of each operand, its units inside the loops so far, and how many share a set."""
    operands = range(len(loops[0].strides))
    units, ways, fetched = [1.0 for _ in operands], [1.0 for _ in operands], [1.0 for _ in operands]
    for loop in loops:
        total = sum(units)
        for operand in operands:
            stride = loop.strides[operand]
            gone = _gone(near, ways[operand] + (total - units[operand]) / near.sets)
            if stride is None:
                fetched[operand] *= 1 + gone * (loop.extent - 1)
            else:
                new_units, new_ways = _growth(near.unit, near.unit * near.sets, loop.count, loop.block, stride)
                fetched[operand] *= new_units + gone * (loop.extent - new_units)
                units[operand] *= new_units
                ways[operand] = max(ways[operand] * new_ways, units[operand] / near.sets)
    return sum(fetched)


def _gone(near: Near, used: float) -> float:
    """The share of units that are not near any more, if so many want to be in each set."""
    return max(0.0, 1 - (near.ways / used) ** 2)


@cache
def _growth(unit: int, span: int, count: int, block: int, stride: int) -> tuple[float, float]:
    """How many times as many units so many positions have as a block of them, and how many times as many in one set."""
    (all_units, all_ways), (units, ways) = (_units(unit, span, number, stride) for number in (count, block))
    return all_units / units, all_ways / ways


def _units(unit: int, span: int, count: int, stride: int) -> tuple[float, float]:
    """How many units so many positions have, and how many of them are in one set; sets recur every `span` bytes."""
    units = max(1.0, count * min(1.0, stride / unit))
    return units, units / max(1.0, min(units, span / gcd(stride, span)))
