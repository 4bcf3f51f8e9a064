"""Regions of a target: ranges of its indices, and what is left of one beside another."""

from collections.abc import Mapping, Sequence

from einsum_front.core.extent import Extent, product
from einsum_front.ir.plan.pattern import Interval

Region = Mapping[str, Interval]


def lengths(region: Region) -> dict[str, Extent]:
    """How far each index runs."""
    return {name: stop - start for name, (start, stop) in region.items()}


def volume(region: Region) -> Extent:
    """Number of positions."""
    return product(lengths(region).values())


def meet(one: Region, other: Region) -> bool:
    """True if two regions of the same indices have a position in common."""
    return all(has_common(interval, other[name]) for name, interval in one.items())


def has_common(one: Interval, other: Interval) -> bool:
    """True if two ranges of one mode have a position in common; of a dynamic mode, both are all of it."""
    if isinstance(one[1], int) and isinstance(other[1], int):
        return one[0] < other[1] and other[0] < one[1]
    return True


def _common(one: Interval, other: Interval) -> Interval:
    if isinstance(one[1], int) and isinstance(other[1], int):
        return max(one[0], other[0]), min(one[1], other[1])
    return one


def outside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, as disjoint regions."""
    if not meet(outer, inner):
        return [dict(outer)]
    return beside(outer, {name: _common(interval, inner[name]) for name, interval in outer.items()})


def beside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, which lies in it, as disjoint regions: two for each index at most."""
    slabs: list[dict[str, Interval]] = []
    core = dict(outer)
    for name, (start, stop) in outer.items():
        first, last = inner[name]
        if isinstance(stop, int) and isinstance(last, int):
            slabs += [{**core, name: slab} for slab in ((start, first), (last, stop)) if slab[0] < slab[1]]
        core[name] = inner[name]
    return slabs


def is_first(region: Region, written: list[Region]) -> bool:
    """True if none of the regions that are written meets this one, which is one of them from now on."""
    if any(meet(region, other) for other in written):
        return False
    written.append(region)
    return True


def without(region: dict[str, Interval], inner: Sequence[Region]) -> list[dict[str, Interval]]:
    """Rest of a region beside others."""
    left = [region]
    for each in inner:
        left = [part for outer in left for part in outside(outer, each)]
    return left
