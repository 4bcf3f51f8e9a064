"""Orders that were not taken: the best of all, and any that a user asks about."""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from heapq import nsmallest
from itertools import groupby, product

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import hint
from einsum_front.ir.plan.order import Operand, Order, Pair, Tree, best_orders, members, priced, subtrees
from einsum_front.ir.plan.subsets import Problem, Subsets

MOST_RANKED_FACTORS = 8
"""Of so many factors all orders are ranked: 135,135 of eight. Of more, those that differ in their last product."""

TOKEN = re.compile(r"[()]|[^\s()*]+")


class OrderTextError(ValueError):
    """A text is no order of the factors; the message says why."""


def best_of_all(problem: Problem, count: int) -> tuple[Order, ...]:
    """The best orders, at most `count`, the best one first.

    Compared are operations on nonzeros, then on boxes, then matrix products, then entries of temporaries. Of more than
    `MOST_RANKED_FACTORS` factors, each is the best of those with its last product.
    """
    if len(problem.factors) > MOST_RANKED_FACTORS:
        return best_orders(problem, count - 1).orders
    ways = _Ways(Subsets(problem), count)
    everything = (1 << len(problem.factors)) - 1
    return tuple(priced(problem, ways.tree(way)) for way in ways.best(everything))


def groups(orders: Sequence[Order]) -> Iterator[tuple[Order, ...]]:
    """The orders that cost the same together; the best ones first."""
    for _, several in groupby(orders, key=costs):
        yield tuple(several)


def costs(order: Order) -> tuple[float, ...]:
    """What orders are compared by, one after the other, for the sizes that are thought of."""
    return hint(order.operations), hint(order.executed), hint(order.calls), hint(order.temporaries)


def has_same_products(one: Tree, other: Tree) -> bool:
    """True if two orders multiply the same factors, whichever of two stands first."""
    return _products(one) == _products(other)


def _products(tree: Tree) -> set[frozenset[int]]:
    return {frozenset(members(part)) for part in subtrees(tree)}


@dataclass(frozen=True, slots=True)
class _Way:
    """A way to make a set of factors, from ways to make two parts of it; none for a single factor."""

    costs: tuple[float, ...]
    whole: int
    parts: "tuple[_Way, _Way] | None" = None


class _Ways:
    """The `count` best ways to make each set of factors: costs add up, so they are made of the best of the parts."""

    def __init__(self, subsets: Subsets, count: int) -> None:
        self._subsets = subsets
        self._count = count
        self.best = cache(self._best)

    def _best(self, whole: int) -> list[_Way]:
        if whole & (whole - 1) == 0:
            return [_Way((0.0,) * 4, whole)]
        return nsmallest(self._count, self._all(whole), key=lambda way: way.costs)

    def _all(self, whole: int) -> Iterator[_Way]:
        lowest = whole & -whole
        rest = whole ^ lowest
        part = rest
        while part:
            left, part = whole ^ part, (part - 1) & rest
            own = self._own(whole, left)
            for one, other in product(self.best(left), self.best(whole ^ left)):
                costs = tuple(map(sum, zip(own, one.costs, other.costs, strict=True)))
                yield _Way(costs, whole, (one, other))

    def _own(self, whole: int, left: int) -> tuple[float, ...]:
        """What the last product costs; the whole is no temporary."""
        masks = np.array([whole]), np.array([left])
        executed, calls = self._subsets.executed_and_calls(*masks)
        is_all = whole == (1 << self._subsets.count) - 1
        entries = 0.0 if is_all else float(self._subsets.sizes(masks[0])[0])
        operations = float(self._subsets.operation_counts(*masks)[0])
        return operations, float(executed[0]), float(calls[0]), entries

    def tree(self, way: _Way) -> Tree:
        """The tree of a way."""
        if way.parts is None:
            return Operand(way.whole.bit_length() - 1)
        left, right = way.parts
        counted = self._subsets.operations(way.whole, left.whole, right.whole)
        indices, entries = self._subsets.indices(way.whole), self._subsets.entries(way.whole)
        return Pair(self.tree(left), self.tree(right), indices, entries, counted)


# -- orders that a user writes -----------------------------------------------------------------------------------------


def order_of_text(text: str, factors: Sequence[str], problem: Problem) -> Order:
    """The order that a text such as `(K I) A` says, with what it costs. Raises `OrderTextError`.

    Factors stand side by side or with `*` between; of more than two, the first two are multiplied first.
    """
    tokens = TOKEN.findall(text)
    free = {name: [n for n, each in enumerate(factors) if each == name] for name in factors}
    tree, rest = _sequence(tokens, free)
    if rest:
        raise OrderTextError("a bracket is closed that was never opened")
    missing = [name for name, numbers in free.items() if numbers]
    if missing:
        raise OrderTextError(f"`{missing[0]}` is missing")
    subsets = Subsets(problem)
    return priced(problem, _counted(tree, subsets))


Shape = int | tuple["Shape", "Shape"]
"""A factor, or a product of two, before it is known what it costs."""


def _sequence(tokens: list[str], free: dict[str, list[int]]) -> tuple[Shape, list[str]]:
    """Factors up to the end or to a closing bracket, and what is left from there on."""
    found: Shape | None = None
    while tokens and tokens[0] != ")":
        part, tokens = _part(tokens, free)
        found = part if found is None else (found, part)
    if found is None:
        raise OrderTextError("a bracket is empty, or there are no factors")
    return found, tokens


def _part(tokens: list[str], free: dict[str, list[int]]) -> tuple[Shape, list[str]]:
    first, *rest = tokens
    if first == "(":
        inner, left = _sequence(rest, free)
        if not left:
            raise OrderTextError("a bracket is never closed")
        return inner, left[1:]
    if first not in free:
        raise OrderTextError(f"there is no factor `{first}`")
    if not free[first]:
        raise OrderTextError(f"`{first}` stands there more often than it is a factor")
    return free[first].pop(0), rest


def _counted(shape: Shape, subsets: Subsets) -> Tree:
    if isinstance(shape, int):
        return Operand(shape)
    left, right = (_counted(part, subsets) for part in shape)
    one, other = (sum(1 << factor for factor in members(part)) for part in (left, right))
    whole = one | other
    operations = subsets.operations(whole, one, other)
    return Pair(left, right, subsets.indices(whole), subsets.entries(whole), operations)
