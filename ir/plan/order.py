"""The order of the products in a contraction: the best of all that there are, as far as the search is able to look.

A subset S of the factors becomes one tensor with the indices that S shares with the rest or with the result; it is made
from the best pair of disjoint subsets A and B of it, connected or not. Best means, in this order: fewest operations on
entries that are not zero, fewest operations on the boxes around them, fewest loops around the matrix products, fewest
entries of temporaries. All four add up over the tree, so the best trees of A and B are part of the best tree of S.

    alike     of more than 8, those that have the same indices are joined first, if no entry is known to be zero: no
              order is better (see `Pairs.join_alike`)
    factors   of more than 20, or with more than 62 indices, have the order that exchanges of parts find
              (see `core.pair_order`), where all entries count and no memory is short; else pairs are joined first (see
              `subsets`)
    a bound   what the cheaper order costs of those that exchanges and joined pairs find (see `search`); for few
              factors none is needed
    search    all orders that cost no more than the bound (see `search`); if they are too many, that order is taken, or
              its first joins are kept, and all orders of the parts that they leave are compared
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import islice
from math import inf

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint, product
from einsum_front.core.pair_order import pair_order
from einsum_front.core.pattern_network import constrained
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.search import Search, Splits, TooMuchWorkError, about_as_good, best_joins, parts_after
from einsum_front.ir.plan.subsets import Pairs, Problem, Subsets

MOST_FACTORS = 20
"""Tables have an entry for each subset of so many."""

MASK_BITS = 62
"""Up to this number of indices, a set of them is an integer."""

FEW, FEW_PARTS, FEW_COUNTED_PARTS = 8, 12, 8
"""Up to so many factors all orders are compared without a bound; so many parts are left where the search is too long,
without and with zeros among the entries."""

FEW_ALIKE = 8
"""Of so many factors, even those that have the same indices are left to the search."""


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
    entries: Extent
    operations: Extent


Tree = Operand | Pair


def subtrees(tree: Tree) -> Iterator[Tree]:
    """The tree and all its parts, the whole first."""
    waiting = [tree]
    while waiting:
        part = waiting.pop()
        yield part
        if isinstance(part, Pair):
            waiting += (part.right, part.left)


def members(tree: Tree) -> tuple[int, ...]:
    """The factors of a tree, from left to right."""
    return tuple(part.factor for part in subtrees(tree) if isinstance(part, Operand))


@dataclass(frozen=True, slots=True)
class Order:
    """A tree with what it costs: operations on nonzero entries and on boxes, GEMM calls, entries of temporaries."""

    tree: Tree
    operations: Extent
    executed: Extent
    calls: Extent
    temporaries: Extent


@dataclass(frozen=True, slots=True)
class Ranking:
    """The best order first, and the next best ones that differ from it in their last product.

    All orders of `parts` parts were compared: of the factors, or if they are more, of what joining pairs of them made;
    1 if the order is that of exchanges. `equals` are others that take about as many operations as the best one.
    """

    orders: tuple[Order, ...]
    parts: int
    equals: tuple[Order, ...] = ()

    def with_first(self, number: int) -> "Ranking":
        """The ranking with one of the equals in front, counted from 1; 0: the best one stays."""
        if number == 0:
            return self
        first = self.equals[number - 1]
        return replace(self, orders=(first, *(order for order in self.orders if order.tree != first.tree)))


def best_orders(problem: Problem, alternatives: int = 2, largest: float = inf) -> Ranking:
    """The best order of all, and others for comparison.

    Entries of a product above `largest` outweigh all costs: no order is taken that has more of them than another one.
    """
    pairs = Pairs(problem, largest)
    is_dense = not constrained((*problem.factors, problem.result))
    if pairs.count > FEW_ALIKE and is_dense:
        pairs.join_alike()
    alike = len(problem.factors) - pairs.count
    known = _exchanged(pairs.problem) if pairs.count > FEW and is_dense and largest == inf else None
    if known is not None and (pairs.count > MOST_FACTORS or pairs.indices > MASK_BITS):
        return _ranked(pairs, known)
    while pairs.count > MOST_FACTORS or (pairs.indices > MASK_BITS and pairs.count > 1):
        pairs.join()
    trees = _trees(pairs)
    if len(trees) == 1:
        return Ranking((priced(problem, trees[0]),), 1 + alike)
    subsets = Subsets(pairs.problem)
    try:
        search, last, parts = _searched(subsets, largest, known)
    except TooMuchWorkError:
        return _ranked(pairs, known or ())
    columns = zip(last.whole.tolist(), last.left.tolist(), strict=True)
    found = (_last(subsets, search, whole, left) for whole, left in islice(columns, 1 + alternatives))
    orders = tuple(priced(problem, _substituted(tree, trees)) for tree in found)
    return Ranking(orders, parts + alike, tuple(_equals(problem, subsets, orders[0].tree)) if largest == inf else ())


def _exchanged(problem: Problem) -> list[tuple[int, int]]:
    """The order that exchanges find for factors of which all entries count.

    What is not made once per launch has one index more, whose extent is what making it once saves.
    """
    number = {name: place for place, name in enumerate(problem.extents)}
    sizes = [*map(hint, problem.extents.values())]
    parts = (*problem.factors, problem.result)
    *terms, output = (sum(1 << number[name] for name in each.indices) for each in parts)
    if problem.once:
        each = 1 << len(number)
        terms, output = [t if n in problem.once else t | each for n, t in enumerate(terms)], output | each
        sizes.append(problem.launch.elements)
    return pair_order(terms, output, sizes, inf)


def _ranked(pairs: Pairs, order: Sequence[tuple[int, int]]) -> Ranking:
    """The order as the only one."""
    pairs.join_all(order)
    return Ranking((priced(pairs.original, _trees(pairs)[0]),), 1)


def _equals(problem: Problem, subsets: Subsets, best: Tree) -> Iterator[Order]:
    """The orders of a few factors that are about as good as the best one."""
    for splits in about_as_good(subsets):
        tree = _split(subsets, splits[0][0], dict(splits).__getitem__)
        if tree != best:
            yield priced(problem, tree)


def _last(subsets: Subsets, search: Search, whole: int, left: int) -> Tree:
    """The tree that has this last product."""
    return _split(subsets, whole, lambda subset: left if subset == whole else search.left(subset))


def _trees(pairs: Pairs) -> list[Tree]:
    """The factors that are left as trees of the original ones."""
    trees: list[Tree] = [Operand(factor) for factor in range(len(pairs.original.factors))]
    for left, right, made in pairs.joined:
        trees.append(Pair(trees[left], trees[right], made.factor.indices, made.entries, made.operations))
    return [trees[number] for number in pairs.numbers]


def _searched(subsets: Subsets, largest: float, known: Sequence[tuple[int, int]] | None) -> tuple[Search, Splits, int]:
    """A search that came to an end, the last products that it found, and of how many parts it compared all orders.

    Raises TooMuchWorkError if there are too many, and an order is `known`.
    """
    factors = [1 << factor for factor in range(subsets.count)]
    if subsets.count <= FEW:
        search = Search(subsets, largest)
        return search, search.run(factors), subsets.count
    joins = best_joins(subsets, largest)
    bound = joins.costs[:2, -1]
    if known is not None:
        bound = np.minimum(bound, (0, _operations(subsets, known)))
    try:
        search = Search(subsets, largest, bound)
        return search, search.run(factors), subsets.count
    except TooMuchWorkError:
        if known is not None:
            raise
        parts = parts_after(joins, FEW_PARTS if subsets.is_dense else FEW_COUNTED_PARTS)
        search = Search(subsets, largest)
        search.know(joins)
        return search, search.run(parts), len(parts)


def _operations(subsets: Subsets, order: Sequence[tuple[int, int]]) -> float:
    """Operations of an order, by its pairs."""
    members = [1 << factor for factor in range(subsets.count)]
    for one, other in order:
        members.append(members[one] | members[other])
    left = np.array([members[one] for one, _ in order])
    return float(subsets.operation_counts(np.array(members[subsets.count :]), left).sum())


def _substituted(tree: Tree, trees: list[Tree]) -> Tree:
    match tree:
        case Operand(factor=factor):
            return trees[factor]
        case Pair(left=left, right=right):
            return replace(tree, left=_substituted(left, trees), right=_substituted(right, trees))


def priced(problem: Problem, tree: Tree) -> Order:
    """The order with all that it costs; what is computed last is no temporary."""
    extents = problem.extents
    operations: Extent = 0
    executed: Extent = 0
    calls: Extent = 0
    temporaries: Extent = 0
    for pair in subtrees(tree):
        if isinstance(pair, Pair):
            left, right = (_indices(problem, part) for part in (pair.left, pair.right))
            both, result = dict.fromkeys((*left, *right)), pair.indices
            reduces = len(result) < len(both)
            points = product(extents[name] for name in both)
            operations = operations + pair.operations
            executed = executed + (2 * points - product(extents[name] for name in result) if reduces else points)
            calls = calls + (
                product(extents[name] for name in result if name in left and name in right) if reduces else 1
            )
            temporaries = temporaries + (0 if pair is tree else product(extents[name] for name in result))
    return Order(tree, operations, executed, calls, temporaries)


def _indices(problem: Problem, tree: Tree) -> IndexMap:
    match tree:
        case Operand(factor=factor):
            return problem.factors[factor].indices
        case Pair(indices=indices):
            return indices


def _split(subsets: Subsets, subset: int, left_of: Callable[[int], int]) -> Tree:
    """The tree of a set of factors, of which each with more than one is split into the given part and the rest."""
    if subset & (subset - 1) == 0:
        return Operand(subset.bit_length() - 1)
    left = left_of(subset)
    right = subset ^ left
    factors = _split(subsets, left, left_of), _split(subsets, right, left_of)
    operations = subsets.operations(subset, left, right)
    return Pair(*factors, subsets.indices(subset), subsets.entries(subset), operations)
