"""The cache and TLB model: how often a nest of loops waits for memory.

Two things are near a core: the pages whose addresses are translated, and the lines of the first cache. Both hold so
many in each of their sets, and tensors whose extents are powers of two fill few sets. An operand is read again in a
loop that it does not depend on, and the same line in a loop of small strides, as long as what is touched in an
iteration stays near; otherwise a part of it is fetched again: of what wants to be in a set, that of its own and what
others have in a set on average, as much as does not fit.
"""

from collections.abc import Sequence
from functools import cache, lru_cache
from math import gcd
from typing import NamedTuple

from einsum_front.core.machine import Cache, Memory


class Loop(NamedTuple):
    """A loop over `length` positions, and the bytes from one to the next for each operand; None: it stays where it is.

    If a loop inside runs over blocks of some of these positions, this one takes a step for each `block`.
    """

    length: int
    strides: tuple[int | None, ...]
    block: int = 1


class Fetched(NamedTuple):
    """How many pages and lines are fetched."""

    pages: float
    lines: float


NOTHING = Fetched(0.0, 0.0)


@lru_cache(maxsize=2**14)
def fetched(nest: tuple[Loop, ...], memory: Memory) -> Fetched:
    """What a nest fetches, the innermost loop first; operands that the first cache holds are near once touched.

    It is remembered: products of other indices, and other groups of them, have the same nests.
    """
    loops = [(extent, loop) for loop in nest if (extent := -(-loop.length // loop.block)) > 1]
    reach = sum([(loop.length - 1) * stride for _, loop in loops for stride in loop.strides if stride is not None])
    if reach <= memory.lines.bytes:
        return NOTHING
    return Fetched(_fetched(memory.pages, loops), _fetched(memory.lines, loops))


def _fetched(near: Cache, loops: Sequence[tuple[int, Loop]]) -> float:
    """How many units are fetched: of each operand, its units inside the loops so far, and how many share a set.

    Each loop stands behind the number of its iterations.
    """
    operands, unit, sets, room = len(loops[0][1].strides), near.unit, near.sets, near.ways
    span = unit * sets
    units, ways, fetched = [1.0] * operands, [1.0] * operands, [1.0] * operands
    for extent, (length, strides, block) in loops:
        total = sum(units)
        for operand, stride in enumerate(strides):
            used = ways[operand] + (total - units[operand]) / sets
            gone = 1 - (room / used) ** 2 if used > room else 0.0  # the share of units that are not near any more
            if stride is not None:
                new_units, new_ways = _growth(unit, span, length, block, stride)
                fetched[operand] *= new_units + gone * (extent - new_units)
                units[operand] *= new_units
                ways[operand] = max(ways[operand] * new_ways, units[operand] / sets)
            elif gone:
                fetched[operand] *= 1 + gone * (extent - 1)
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
