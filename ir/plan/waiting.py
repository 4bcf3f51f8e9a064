"""How long a nest of loops waits for memory: a model of what is near a core when it is needed.

Two things are near: the pages whose addresses are translated, and the lines of the first cache. Both hold so many in
each of their sets, and tensors whose extents are powers of two fill few sets. An operand is read again in a loop that
it does not depend on, and the same line in a loop of small strides, as long as everything that is touched in an
iteration stays near; otherwise it is fetched again.

The numbers were fitted to single products of tensors of four modes, measured on AVX2; `docs/planner.md` says how well
they do.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import gcd

NEAR_BYTES = 32 * 1024
"""Operands that take no more are near after the first touch."""


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop of so many iterations, and the bytes that each operand moves on in one; None: it does not."""

    extent: int
    strides: tuple[int | None, ...]


@dataclass(frozen=True, slots=True)
class Near:
    """Units of `unit` bytes in `sets` of `ways` each; one that is not there takes `miss` cycles."""

    unit: int
    sets: int
    ways: int
    miss: float


PAGES = Near(unit=4096, sets=1, ways=64, miss=33)
LINES = Near(unit=64, sets=64, ways=8, miss=0.85)


def waiting_cycles(nest: Sequence[Loop], line: float = LINES.miss) -> float:
    """Cycles that a nest waits, the innermost loop first, where each `line` that is not near takes so many of them."""
    loops = [loop for loop in nest if loop.extent > 1]
    reach = sum((loop.extent - 1) * stride for loop in loops for stride in loop.strides if stride is not None)
    if reach <= NEAR_BYTES:
        return 0.0
    return PAGES.miss * _misses(PAGES, loops) + line * _misses(LINES, loops)


def _misses(near: Near, loops: Sequence[Loop]) -> float:
    """How often a unit is fetched: of each operand, its units inside the loops so far, and how many share a set."""
    operands = range(len(loops[0].strides))
    units, ways, fetched = [1.0 for _ in operands], [1.0 for _ in operands], [1.0 for _ in operands]
    for loop in loops:
        extent, stays = loop.extent, sum(ways) <= near.ways
        for operand in operands:
            stride = loop.strides[operand]
            if stride is None:
                fetched[operand] *= 1 if stays else extent
            else:
                new_units, new_ways = _growth(near.unit, near.unit * near.sets, extent, stride)
                fetched[operand] *= new_units if stays else extent
                units[operand] *= new_units
                ways[operand] = max(ways[operand] * new_ways, units[operand] / near.sets)
    return sum(fetched)


@cache
def _growth(unit: int, span: int, extent: int, stride: int) -> tuple[float, float]:
    """How many units so many steps of a stride touch, and how many of them are in one set; sets recur every `span`."""
    units = max(1.0, extent * min(1.0, stride / unit))
    return units, units / max(1.0, min(units, span / gcd(stride, span)))
