"""Exact search for the cheapest way to multiply parts of a contraction: dynamic programming over sets of parts.

A set is made from the cheapest pair of disjoint sets, connected or not. Sets grow from two parts to all; of each only
the cheapest way is kept, and only if it can belong to a tree that costs no more than one that is known: a set whose
products take more operations, or that has more entries than are left for the product that reads them, cannot.
(Dynamic programming with a bound: Pfeifer, Haegeman, Verstraete, "Faster identification of optimal contraction
sequences for tensor networks", Phys. Rev. E 90, 033315, 2014.)
"""

from collections.abc import Iterator, Sequence
from enum import Enum
from functools import cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.ir.plan.subsets import Masks, Numbers, Subsets

MOST_WORK = 2e8
"""Pairs of sets that a search may test for common factors: about a second."""

SPLIT_WORK, COUNTED_WORK = 20, 20_000
"""What a pair of disjoint sets costs in such tests, if sizes say its operations, and if patterns must be counted."""

CHUNK = 1 << 20
"""Pairs that are tested at a time."""

ROUNDING = 1e-9

Truths = NDArray[np.bool_]


class TooMuchWorkError(Exception):
    """The bound leaves too many sets."""


@dataclass(frozen=True, slots=True)
class Splits:
    """Ways to make sets, one in each column: the set, and its part that has the lowest factor.

    Rows of `costs`, by their weight: entries above the limit, operations on nonzero entries, operations on boxes, GEMM
    calls, entries of temporaries; of all products that make the set.
    """

    whole: Masks
    left: Masks
    costs: Numbers

    def chosen(self, columns: Truths | Masks) -> "Splits":
        """Some of the columns."""
        return Splits(self.whole[columns], self.left[columns], self.costs[:, columns])


COSTS = 5
NO_BOUND = np.full(2, inf)
MASK_DIGITS = 32


class Search:
    """The cheapest way to make every set that the bound leaves.

    `bound` are entries above the limit and operations of a tree that is known. Products of more than `largest` entries
    outweigh all other costs.
    """

    def __init__(self, subsets: Subsets, largest: float, bound: Numbers = NO_BOUND) -> None:
        self._subsets = subsets
        self._largest = largest
        self._bound = bound
        self._best: Numbers = np.zeros((COSTS, 1 << subsets.count))
        self._left: Masks = np.zeros(1 << subsets.count, np.int64)
        self._work = 0

    def know(self, splits: Splits) -> None:
        """Take ways to make sets as the cheapest ones."""
        self._best[:, splits.whole] = splits.costs
        self._left[splits.whole] = splits.left

    def left(self, subset: int) -> int:
        """The left part of the cheapest way to make a set that was kept."""
        return int(self._left[subset])

    def run(self, parts: Sequence[int]) -> Splits:
        """Ways to make everything from these disjoint parts of it, by all last products that are left; cheapest first.

        Raises TooMuchWorkError if the bound is too loose for so many parts.
        """
        kept = {1: np.array(sorted(parts), np.int64)}
        for size in range(2, len(parts)):
            made = self._made(kept, size)
            if self._subsets.is_dense:  # what is made once may be read by a product that is made once
                made = self._bounded(made, self._subsets.sizes(made.whole) * ~self._subsets.is_once(made.whole))
            best = made.chosen(self._cheapest(made))
            self.know(best)
            kept[size] = best.whole
        last = self._made(kept, len(parts))
        return last.chosen(np.lexsort((self._rank(last), *last.costs[::-1])))

    def _made(self, kept: dict[int, Masks], size: int) -> Splits:
        """All ways to make sets of this size from kept ones, as far as the bound leaves them."""
        made = [self._priced(*disjoint) for disjoint in self._disjoint(kept, size)]
        whole, left = (np.concatenate([each.whole for each in made]), np.concatenate([each.left for each in made]))
        return Splits(whole, left, np.concatenate([each.costs for each in made], axis=1))

    def _disjoint(self, kept: dict[int, Masks], size: int) -> Iterator[tuple[Masks, Masks]]:
        """Unions of two disjoint kept sets, with the part that has the lowest factor, in chunks."""
        for larger in range((size + 1) // 2, size):
            one, other = kept[larger], kept[size - larger]
            step = max(1, CHUNK // max(1, other.size))
            for start in range(0, max(1, one.size), step):
                some = one[start : start + step]
                self._charge(some.size * other.size)
                yield _unions(some, other, is_twice=larger == size - larger)

    def _priced(self, whole: Masks, left: Masks) -> Splits:
        """The ways with their costs, without those that cost more than the bound."""
        splits = self._bounded(Splits(whole, left, self._best[:, left] + self._best[:, whole ^ left]))
        self._charge(splits.left.size * (SPLIT_WORK if self._subsets.is_dense else COUNTED_WORK))
        splits.costs[1] += self._subsets.operation_counts(splits.whole, splits.left)
        sizes = self._subsets.sizes(splits.whole)
        if self._largest < inf:
            splits.costs[0] += np.maximum(sizes - self._largest, 0)
        splits.costs[4] += sizes * ~self._subsets.is_once(splits.whole)
        splits = self._bounded(splits)
        executed, calls = self._subsets.executed_and_calls(splits.whole, splits.left)
        splits.costs[2] += executed
        splits.costs[3] += calls
        return splits

    def _bounded(self, splits: Splits, more: Numbers | float = 0.0) -> Splits:
        """Those that cost no more than the bound with so many `more` operations."""
        excess, operations = self._bound
        within = splits.costs[1] + more <= operations * (1 + ROUNDING)
        return splits.chosen((splits.costs[0] < excess) | ((splits.costs[0] == excess) & within))

    def _charge(self, work: int) -> None:
        self._work += work
        if self._work > MOST_WORK and self._bound[1] < inf:
            raise TooMuchWorkError

    def _cheapest(self, splits: Splits) -> Masks:
        """The column of the cheapest way for each set: costs are compared one after the other."""
        columns = np.arange(splits.whole.size)
        for cost in (*splits.costs, self._rank(splits)):
            whole = splits.whole[columns]
            least = np.full(1 << self._subsets.count, inf)
            np.minimum.at(least, whole, cost[columns])
            columns = columns[cost[columns] == least[whole]]
        return columns

    def _rank(self, splits: Splits) -> Numbers:
        """Which of ways that cost the same comes first: the one with the larger left part."""
        members: Numbers = np.ldexp(self._subsets.members[splits.left].astype(np.float64), MASK_DIGITS)
        return splits.left - members


def _unions(one: Masks, other: Masks, is_twice: bool) -> tuple[Masks, Masks]:
    """Unions of the disjoint sets, and of each the part that has the lowest factor; once, if both ways occur."""
    rows, columns = np.nonzero((one[:, np.newaxis] & other) == 0)
    first, second = one[rows], other[columns]
    whole = first | second
    is_first = (first & whole & -whole) != 0
    return (whole[is_first], first[is_first]) if is_twice else (whole, np.where(is_first, first, second))


# -- orders found by joining two parts at a time by a simple rule ------------------------------------------------------
# Good enough to bound the exact search.


class Rule(Enum):
    """Which two parts are joined first: those whose product has the fewest entries compared with their own."""

    DIFFERENCE = "difference"
    RATIO = "ratio"

    def of(self, product: Numbers, operands: Numbers) -> Numbers:
        """The number that is to be small."""
        match self:
            case Rule.DIFFERENCE:
                return product - operands
            case Rule.RATIO:
                return product / operands


def best_joins(subsets: Subsets, largest: float) -> Splits:
    """The joins of the rule that finds the cheaper order, one after the other, with the costs of all that they join."""
    joins = [_joins(subsets, largest, rule) for rule in Rule]
    return min(joins, key=lambda splits: tuple(splits.costs[:, -1]))


def _joins(subsets: Subsets, largest: float, rule: Rule) -> Splits:
    parts = np.array([1 << factor for factor in range(subsets.count)], np.int64)
    spent = np.zeros((COSTS, subsets.count))
    joins: list[Splits] = []
    while parts.size > 1:
        one, other = np.triu_indices(parts.size, 1)
        best = _first(subsets, largest, rule, parts[one], parts[other])
        pair = [one[best], other[best]]
        made = _join(subsets, largest, parts[pair], spent[:, pair].sum(axis=1))
        joins.append(made)
        parts = np.append(np.delete(parts, pair), made.whole)
        spent = np.append(np.delete(spent, pair, axis=1), made.costs, axis=1)
    whole, left = (np.concatenate([each.whole for each in joins]), np.concatenate([each.left for each in joins]))
    return Splits(whole, left, np.concatenate([each.costs for each in joins], axis=1))


def _first(subsets: Subsets, largest: float, rule: Rule, one: Masks, other: Masks) -> int:
    """The pair to join; of those that the rule finds equal, the product with fewer operations on boxes."""
    sizes = subsets.sizes(one | other)
    excess = np.zeros(sizes.shape) if largest == inf else np.maximum(sizes - largest, 0)
    executed, _ = subsets.executed_and_calls(one | other, one)
    return int(np.lexsort((executed, rule.of(sizes, subsets.sizes(one) + subsets.sizes(other)), excess))[0])


def _join(subsets: Subsets, largest: float, pair: Masks, spent: Numbers) -> Splits:
    """The product of two parts as a way to make their union; `spent` is what the parts cost."""
    whole = np.array([pair[0] | pair[1]])
    left = pair[:1] if pair[0] & whole[0] & -whole[0] else pair[1:]
    size = subsets.sizes(whole)
    executed, calls = subsets.executed_and_calls(whole, left)
    excess = np.zeros(1) if largest == inf else np.maximum(size - largest, 0)
    costs = np.array([excess, subsets.operation_counts(whole, left), executed, calls, size])
    return Splits(whole, left, spent[:, np.newaxis] + costs)


def parts_after(joins: Splits, number: int) -> list[int]:
    """The sets that are left when as many joins are done as leave `number` of them."""
    count = joins.whole.size + 1
    parts = {1 << factor for factor in range(count)}
    for whole, left in zip(joins.whole.tolist()[: count - number], joins.left.tolist(), strict=False):
        parts -= {left, whole ^ left}
        parts.add(whole)
    return sorted(parts)


# -- orders that take about as many operations as the best one, so that layouts may decide between them ----------------
# Where no entry is known to be zero, orders often have the same numbers of multiplications, and differ in sums, a
# percent at most. What layouts cost differs more, if temporaries are too large to be near a core.

ABOUT = 0.01
"""Operations that are no more than that apart, compared with the fewest, are about the same."""

MOST_FACTORS, MOST_ORDERS = 6, 8
"""Of so many factors all orders are looked at, and so many of them kept."""

LEAST_ENTRIES = 4096
"""Temporaries of fewer entries are not worth planning the kernel again: any first cache holds 32 KiB of f64."""

Products = tuple[tuple[int, int], ...]
"""The products of an order: sets of factors, each with its part that has the lowest factor."""


def about_as_good(subsets: Subsets) -> list[Products]:
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

    def of(self, subset: int, more: float) -> Iterator[tuple[float, Products]]:
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
