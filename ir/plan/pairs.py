"""Products of two factors of a contraction, looked at one by one: for contractions with very many factors."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from math import prod

from ir.plan.pattern import Factor, conjunction, constrained, exists
from ir.plan.problem import Problem
from ir.run_time import assumed


@dataclass(frozen=True, slots=True)
class PairProduct:
    """The product of two factors, with what its costs are thought to be, in the order of their weight.

    `share` is the number of its entries over that of its factors together.
    """

    factor: Factor
    entries: int
    operations: int
    cost: tuple[int, int, int, int]
    share: float


class Pairs:
    """A contraction of which pairs of factors are joined: those that leave the smallest share of their entries.

    `joined` are the products so far, each behind the numbers that its factors had; it becomes the last factor. What a
    product is does not depend on how the others are joined, so each is worked out once.
    """

    def __init__(self, problem: Problem) -> None:
        self.original = problem
        self.joined: list[tuple[int, int, PairProduct]] = []
        self._factors: list[Factor] = list(problem.factors)
        self._once = [number in problem.once for number in range(len(problem.factors))]
        self._known: dict[tuple[Factor, Factor], PairProduct] = {}

    @property
    def count(self) -> int:
        """Number of factors that are left."""
        return len(self._factors)

    @property
    def indices(self) -> int:
        """Number of indices that are left."""
        return len(self._used())

    @property
    def problem(self) -> Problem:
        """The contraction of what is left."""
        used = self._used()
        extents = {name: extent for name, extent in self.original.extents.items() if name in used}
        once = frozenset(number for number, is_once in enumerate(self._once) if is_once)
        return Problem(tuple(self._factors), self.original.result, extents, self.original.restored, once)

    def join(self, largest: float) -> None:
        """Join one pair; entries above `largest` outweigh everything."""
        pairs = combinations(range(len(self._factors)), 2)
        products = {(left, right): self._product(left, right) for left, right in pairs}
        (left, right), best = min(
            products.items(), key=lambda each: (max(0, each[1].cost[-1] - largest), each[1].share, each[1].cost)
        )
        self.joined.append((left, right, best))
        self._factors = [factor for number, factor in enumerate(self._factors) if number not in (left, right)]
        self._factors.append(best.factor)
        is_once = self._once[left] and self._once[right]
        self._once = [*(each for number, each in enumerate(self._once) if number not in (left, right)), is_once]

    def _used(self) -> set[str]:
        return {name for factor in (*self._factors, self.original.result) for name in factor.indices}

    def _product(self, left: int, right: int) -> PairProduct:
        pair = self._factors[left], self._factors[right]
        if pair not in self._known:
            others = [factor for number, factor in enumerate(self._factors) if number not in (left, right)]
            elsewhere = {name for factor in (*others, self.original.result) for name in factor.indices}
            self._known[pair] = _product(pair, elsewhere, self.original)
        return self._known[pair]


def _product(pair: Sequence[Factor], elsewhere: set[str], problem: Problem) -> PairProduct:
    """The product of a pair of factors; `elsewhere` are the indices that the others and the result have."""
    extents, restored = problem.extents, problem.restored
    both = dict.fromkeys(name for factor in pair for name in factor.indices)
    indices = tuple(name for name in extents if name in both and name in elsewhere)
    mask = conjunction(exists(constrained(pair), indices), indices, extents)
    entries = restored.entries(mask)
    points = prod(extents[name] for name in both)
    free = prod(extents[name] for name in both if not any(name in f.indices for f in constrained(pair)))
    operations = 2 * free * restored.combinations(constrained(pair)) - entries
    reduces = len(indices) < len(both)
    common = [name for name in indices if all(name in factor.indices for factor in pair)]
    calls = prod(extents[name] for name in common) if reduces else 1
    size = prod(extents[name] for name in indices)
    cost = (assumed(operations), assumed(2 * points if reduces else points), assumed(calls), assumed(size))
    return PairProduct(
        Factor(indices, mask),
        entries,
        operations,
        cost,
        cost[-1] / sum(assumed(prod(map(restored, f.mask.shape))) for f in pair),
    )
