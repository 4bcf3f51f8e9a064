"""The cache and TLB model: how often a nest of loops waits for memory.

Two things are near a core: the pages whose addresses are translated, and the lines of the first cache. Both hold so
many in each of their sets, and tensors whose extents are powers of two fill few sets. An operand is read again in a
loop that it does not depend on, and the same line in a loop of small strides, as long as what is touched in an
iteration stays near; otherwise a part of it is fetched again: of what wants to be in a set, that of its own and what
others have in a set on average, as much as does not fit.
"""

from collections.abc import Sequence
from functools import cache
from math import gcd

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Cache, Memory


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
class Fetched:
    """How many pages and lines are fetched."""

    pages: float
    lines: float


NOTHING = Fetched(0.0, 0.0)


def fetched(nest: Sequence[Loop], memory: Memory) -> Fetched:
    """What a nest fetches, the innermost loop first; operands that the first cache holds are near once touched."""
    loops = [loop for loop in nest if loop.extent > 1]
    reach = sum((loop.count - 1) * stride for loop in loops for stride in loop.strides if stride is not None)
    if reach <= memory.lines.bytes:
        return NOTHING
    return Fetched(_fetched(memory.pages, loops), _fetched(memory.lines, loops))


def _fetched(near: Cache, loops: Sequence[Loop]) -> float:
    """How many units are fetched: of each operand, its units inside the loops so far, and how many share a set."""
    count, unit, sets, room = len(loops[0].strides), near.unit, near.sets, near.ways
    units, ways, fetched = [1.0] * count, [1.0] * count, [1.0] * count
    for loop in loops:
        total, extent = sum(units), loop.extent
        for operand, stride in enumerate(loop.strides):
            used = ways[operand] + (total - units[operand]) / sets
            gone = 1 - (room / used) ** 2 if used > room else 0.0  # the share of units that are not near any more
            if stride is None:
                fetched[operand] *= 1 + gone * (extent - 1)
            else:
                new_units, new_ways = _growth(unit, unit * sets, loop.count, loop.block, stride)
                fetched[operand] *= new_units + gone * (extent - new_units)
                units[operand] *= new_units
                ways[operand] = max(ways[operand] * new_ways, units[operand] / sets)
    return sum(fetched)


@cache
def _growth(unit: int, span: int, count: int, block: int, stride: int) -> tuple[float, float]:
    """How many times as many units so many positions have as a block of them, and how many times as many in one set."""
    (all_units, all_ways), (units, ways) = (_units(unit, span, number, stride) for number in (count, block))
    return all_units / units, all_ways / ways


def _units(unit: int, span: int, count: int, stride: int) -> tuple[float, float]:
    """How many units so many positions have, and how many of them are in one set; sets recur every `span` bytes."""
    units = max(1.0, count * min(1.0, stride / unit))
    return units, units / max(1.0, min(units, span / gcd(stride, span)))
