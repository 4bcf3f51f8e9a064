"""Regions of a target: ranges of its indices, and what is left of one beside another."""

from collections.abc import Mapping
from math import prod

from einsum_front.ir.plan.pattern import Interval

Region = Mapping[str, Interval]


def lengths(region: Region) -> dict[str, int]:
    """How far each index runs."""
    return {name: stop - start for name, (start, stop) in region.items()}


def volume(region: Region) -> int:
    """Number of positions."""
    return prod(lengths(region).values())


def meet(one: Region, other: Region) -> bool:
    """Whether two regions of the same indices have a position in common."""
    return all(start < other[name][1] and other[name][0] < stop for name, (start, stop) in one.items())


def outside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, as disjoint regions."""
    if not meet(outer, inner):
        return [dict(outer)]
    common = {name: (max(start, inner[name][0]), min(stop, inner[name][1])) for name, (start, stop) in outer.items()}
    return beside(outer, common)


def beside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, which lies in it, as disjoint regions: two for each index at most."""
    slabs = []
    core = dict(outer)
    for name, (start, stop) in outer.items():
        for slab in ((start, inner[name][0]), (inner[name][1], stop)):
            if slab[0] < slab[1]:
                slabs.append({**core, name: slab})
        core[name] = inner[name]
    return slabs
