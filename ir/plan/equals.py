"""Orders that take about as many operations as the best one, so that layouts may decide between them.

Where no entry is known to be zero, orders often have the same numbers of multiplications, and differ in sums, a percent
at most. What layouts cost differs more, if temporaries are too large to be near a core.
"""

from collections.abc import Iterator
from functools import cache

import numpy as np

from einsum_front.ir.plan.subsets import Subsets

ABOUT = 0.01
"""Operations that are no more than that apart, compared with the fewest, are about the same."""

MOST_FACTORS, MOST_ORDERS = 6, 8
"""Of so many factors all orders are looked at, and so many of them kept."""

LEAST_ENTRIES = 4096
"""Temporaries of fewer entries are not worth planning the kernel again: any first cache holds 32 KiB of f64."""

Splits = tuple[tuple[int, int], ...]
"""The products of an order: sets of factors, each with its part that has the lowest factor."""


def about_as_good(subsets: Subsets) -> list[Splits]:
    """The orders that take about as many operations as the best one, fewest first; none if layouts hardly matter."""
    if not subsets.is_dense or not 2 < subsets.count <= MOST_FACTORS:
        return []
    whole = (1 << subsets.count) - 1
    ways = _Ways(subsets)
    found = sorted(ways.of(whole, ABOUT * ways.fewest(whole)), key=lambda way: way[0])
    orders = [splits for _, splits in found]
    largest = max((float(subsets.sizes(np.array([part]))[0]) for splits in orders for part, _ in splits[1:]), default=0)
    return orders[:MOST_ORDERS] if largest >= LEAST_ENTRIES else []


class _Ways:
    """The ways to make each set of factors, and the fewest operations that it takes."""

    def __init__(self, subsets: Subsets) -> None:
        self._subsets = subsets
        self.fewest = cache(self._fewest)
        self._splits = cache(self._priced)

    def of(self, subset: int, more: float) -> Iterator[tuple[float, Splits]]:
        """Ways to make a set with at most so many operations more than the fewest, and how many more each takes."""
        if subset & (subset - 1) == 0:
            yield 0.0, ()
            return
        for left, operations in self._splits(subset):
            extra = operations - self.fewest(subset)
            if extra <= more:
                for one, inside in self.of(left, more - extra):
                    for other, beside in self.of(subset ^ left, more - extra - one):
                        yield extra + one + other, ((subset, left), *inside, *beside)

    def _fewest(self, subset: int) -> float:
        if subset & (subset - 1) == 0:
            return 0.0
        return min(operations for _, operations in self._splits(subset))

    def _priced(self, subset: int) -> list[tuple[int, float]]:
        """The parts with the lowest factor of a set, and the fewest operations if it is made from each and the rest."""
        lefts = [part for part in _parts(subset) if part & subset & -subset]
        products = self._subsets.operation_counts(np.full(len(lefts), subset), np.array(lefts))
        return [
            (left, float(operations) + self.fewest(left) + self.fewest(subset ^ left))
            for left, operations in zip(lefts, products, strict=True)
        ]


def _parts(subset: int) -> Iterator[int]:
    """The sets inside a set, but the empty one and the whole."""
    part = (subset - 1) & subset
    while part:
        yield part
        part = (part - 1) & subset
