"""The order of the products in a contraction: exact dynamic programming over subsets of the factors.

A subset S of the factors becomes one tensor with the indices that S shares with the rest or with the result; it is made
from the best pair of disjoint subsets A and B of it, connected or not. Best means, in this order: fewest operations on
entries that are not zero, fewest operations on the boxes around them, fewest loops around the matrix products, fewest
entries of temporaries. All four add up over the tree, so the best trees of A and B are part of the best tree of S.
(Dynamic programming over subsets for contractions: Pfeifer, Haegeman, Verstraete, "Faster identification of optimal
contraction sequences for tensor networks", Phys. Rev. E 90, 033315, 2014.)
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from math import inf

import numpy as np
from numpy.typing import NDArray

from ir.index import IndexMap
from ir.plan.pairs import pair_products, with_product
from ir.plan.problem import Problem
from ir.plan.subsets import Subsets

EXACT_LIMIT = 13
"""Up to this number of factors all orders are compared, 3**n splits; of more, the cheapest pairs are joined first."""

MASK_BITS = 62
"""Up to this number of indices, a set of them is an integer."""

Masks = NDArray[np.int64]
Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Operand:
    """The factor with this number, as it is."""

    factor: int


@dataclass(frozen=True, slots=True)
class Pair:
    """The product of two trees, summed over the indices that nothing else has; counts are of nonzero entries."""

    left: "Tree"
    right: "Tree"
    indices: IndexMap
    entries: int
    operations: int


Tree = Operand | Pair


def subtrees(tree: Tree) -> Iterator[Tree]:
    """The tree and all its parts, the whole first."""
    yield tree
    match tree:
        case Operand():
            pass
        case Pair(left=left, right=right):
            yield from subtrees(left)
            yield from subtrees(right)


def members(tree: Tree) -> tuple[int, ...]:
    """The factors of a tree, from left to right."""
    return tuple(part.factor for part in subtrees(tree) if isinstance(part, Operand))


@dataclass(frozen=True, slots=True)
class Order:
    """A tree with what it costs: operations on nonzero entries and on boxes, GEMM calls, entries of temporaries."""

    tree: Tree
    operations: int
    executed: int
    calls: int
    temporaries: int


def best_orders(problem: Problem, alternatives: int = 2, largest: float = inf) -> tuple[Order, ...]:
    """The best order and, for comparison, the next best ones that differ from it in their last product.

    Entries of a product above `largest` outweigh all costs: no order is taken that has more of them than another one.
    """
    trees: list[Tree] = [Operand(factor) for factor in range(len(problem.factors))]
    joined = Order(trees[0], 0, 0, 0, 0)
    while len(trees) > EXACT_LIMIT or (len(problem.extents) > MASK_BITS and len(trees) > 1):
        problem, joined = _join_cheapest(problem, trees, joined, largest)
    count = len(problem.factors)
    if count == 1:
        return (joined,)
    table = _Table(Subsets(problem), largest)
    for size in range(2, count):
        table.fill(size)
    return tuple(_completed(order, trees, joined) for order in table.orders(1 + alternatives))


def _join_cheapest(problem: Problem, trees: list[Tree], joined: Order, largest: float) -> tuple[Problem, Order]:
    """The problem with two of its factors multiplied, those whose product is the cheapest; `trees` are kept in step."""
    best = min(
        pair_products(problem),
        key=lambda product: (max(0, product.cost[-1] - largest), product.cost, len(product.factor.indices)),
    )
    left, right = trees[best.left], trees[best.right]
    tree = Pair(left, right, best.factor.indices, best.entries, best.operations)
    for position in (best.right, best.left):
        del trees[position]
    trees.append(tree)
    operations, executed, calls, temporaries = best.cost
    total = Order(
        tree,
        joined.operations + operations,
        joined.executed + executed,
        joined.calls + calls,
        joined.temporaries + temporaries,
    )
    return with_product(problem, best), total


def _completed(order: Order, trees: list[Tree], joined: Order) -> Order:
    """An order of joined factors as one of the original factors."""
    return Order(
        _substituted(order.tree, trees),
        order.operations + joined.operations,
        order.executed + joined.executed,
        order.calls + joined.calls,
        order.temporaries + joined.temporaries,
    )


def _substituted(tree: Tree, trees: list[Tree]) -> Tree:
    match tree:
        case Operand(factor=factor):
            return trees[factor]
        case Pair(left=left, right=right):
            return replace(tree, left=_substituted(left, trees), right=_substituted(right, trees))


class _Table:
    """The best cost and the best left part of every subset so far, as bit masks of factors.

    Costs are the entries above `largest`, if it is a limit, and the four of an order.
    """

    def __init__(self, subsets: Subsets, largest: float) -> None:
        self._subsets = subsets
        self._largest = largest
        self._best: Numbers = np.zeros((4 if largest == inf else 5, 1 << subsets.count))
        self._left: Masks = np.zeros(1 << subsets.count, np.int64)

    def fill(self, size: int) -> None:
        """Find the best splits of all subsets of this size; smaller ones are known."""
        whole, left = splits(self._subsets.count, size)
        totals = self._totals(whole, left)
        chosen = _first_best(totals)
        rows = np.arange(len(whole))
        self._best[:, whole] = totals[:, rows, chosen]
        self._left[whole] = left[rows, chosen]

    def orders(self, number: int) -> tuple[Order, ...]:
        """The best orders of the whole contraction, one for each of the best last products."""
        whole, left = splits(self._subsets.count, self._subsets.count)
        totals = self._totals(whole, left)[:, 0, :]
        ranking = np.lexsort(totals[::-1])[:number]
        return tuple(self._order(int(left[0, column]), totals[:, column]) for column in ranking)

    def _totals(self, whole: Masks, left: Masks) -> NDArray[np.float64]:
        """The costs of making each subset from each of its splits: (costs, subsets, splits)."""
        right = whole[:, np.newaxis] ^ left
        sizes = self._subsets.sizes(whole)[:, np.newaxis]
        totals = self._best[:, left] + self._best[:, right]
        operations, executed, calls = self._subsets.costs(whole, left, right)
        if self._largest < inf:
            totals[0] += np.maximum(sizes - self._largest, 0)
        totals[-4] += operations
        totals[-3] += executed
        totals[-2] += calls
        totals[-1] += sizes
        return totals

    def _order(self, left: int, totals: Numbers) -> Order:
        whole = (1 << self._subsets.count) - 1
        operations, executed, calls, temporaries = (int(total) for total in totals[-4:])
        temporaries -= int(self._subsets.sizes(np.array([whole]))[0])
        return Order(self._pair(whole, left), operations, executed, calls, temporaries)

    def _tree(self, subset: int) -> Tree:
        if subset & (subset - 1) == 0:
            return Operand(subset.bit_length() - 1)
        return self._pair(subset, int(self._left[subset]))

    def _pair(self, subset: int, left: int) -> Pair:
        right = subset ^ left
        indices = self._subsets.indices(subset)
        entries = self._subsets.entries(subset)
        operations = self._subsets.operations(subset, left, right)
        return Pair(self._tree(left), self._tree(right), indices, entries, operations)


def _first_best(totals: NDArray[np.float64]) -> Masks:
    """For each subset the first split with the smallest costs, compared one after the other."""
    best: NDArray[np.bool_] = np.ones(totals.shape[1:], np.bool_)
    for cost in totals:
        contenders = np.where(best, cost, np.inf)
        best &= contenders == contenders.min(axis=1)[:, np.newaxis]
    first: Masks = best.argmax(axis=1)
    return first


@lru_cache(maxsize=64)
def splits(count: int, size: int) -> tuple[Masks, Masks]:
    """All subsets of `size` out of `count` factors, ascending, and for each the left parts of its splits.

    Left parts hold the lowest factor of the subset, so each split occurs once; large parts come first.
    """
    numbers = np.arange(1 << count, dtype=np.int64)
    bits = (numbers[:, np.newaxis] >> np.arange(count)) & 1
    whole = numbers[bits.sum(axis=1) == size]
    members = np.nonzero(bits[whole])[1].reshape(-1, size)
    choice = np.arange((1 << (size - 1)) - 1, dtype=np.int64)
    chosen = (choice[:, np.newaxis] >> np.arange(size - 1)) & 1
    chosen = chosen[np.argsort(-chosen.sum(axis=1), kind="stable")]
    values = (1 << members).astype(np.float64)
    left = values[:, :1] + values[:, 1:] @ chosen.T.astype(np.float64)
    return whole, left.astype(np.int64)
