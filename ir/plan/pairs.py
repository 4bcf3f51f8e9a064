"""Products of two factors of a contraction, looked at one by one: for contractions with very many factors."""

from collections import Counter, deque
from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint, product
from einsum_front.core.pattern_network import Factor, constrained, exists
from einsum_front.ir.plan.pattern import conjunction, count, entries
from einsum_front.ir.plan.subsets import Problem


@dataclass(frozen=True, slots=True)
class PairProduct:
    """The product of two factors, with hints of its costs, in the order of their weight.

    `share` is the number of its entries over that of its factors together.
    """

    factor: Factor
    entries: Extent
    operations: Extent
    cost: tuple[int, int, int, int]
    share: float


class Pairs:
    """A contraction of which pairs of factors are joined: those that leave the smallest share of their entries.

    Factors have numbers; a product gets the next one. `joined` are the products so far, each behind the numbers of its
    factors. Entries of a product above `largest` outweigh everything. What a product is does not depend on how the
    others are joined, so each is worked out once, and the best ones wait in a heap.
    """

    def __init__(self, problem: Problem, largest: float) -> None:
        self.original = problem
        self.joined: list[tuple[int, int, PairProduct]] = []
        self._largest = largest
        self._factors = dict(enumerate(problem.factors))
        self._once = set(problem.once)
        self._uses = Counter(name for factor in (*problem.factors, problem.result) for name in factor.indices)
        self._waiting: list[tuple[tuple[float, ...], int, int, PairProduct]] | None = None

    @property
    def count(self) -> int:
        """Number of factors that are left."""
        return len(self._factors)

    @property
    def numbers(self) -> tuple[int, ...]:
        """The numbers of the factors that are left."""
        return tuple(self._factors)

    @property
    def indices(self) -> int:
        """Number of indices that are left."""
        return len(self._uses)

    @property
    def problem(self) -> Problem:
        """The contraction of what is left."""
        extents = {name: extent for name, extent in self.original.extents.items() if name in self._uses}
        once = frozenset(place for place, number in enumerate(self._factors) if number in self._once)
        return Problem(tuple(self._factors.values()), self.original.result, extents, once)

    def join_alike(self) -> None:
        """Join all factors that have the same indices, until no two have.

        No order is better for it where no entry is known to be zero. Move such a factor in any order from where it
        stands to another one that is like it: the products above its old place lose indices or stay as they are, those
        above its new place may sum earlier, and one product with as many entries takes the place of another one with
        at least as many. Factors that are batch-invariant are only alike among themselves.
        """
        before = -1
        while before != len(self.joined):
            before = len(self.joined)
            alike: dict[tuple[frozenset[str], bool], deque[int]] = {}
            for number, factor in self._factors.items():
                alike.setdefault((frozenset(factor.indices), number in self._once), deque()).append(number)
            for numbers in alike.values():
                while len(numbers) > 1:
                    left, right = numbers.popleft(), numbers.popleft()
                    numbers.append(self._take(left, right, self._product(left, right)))

    def join_all(self, order: Sequence[tuple[int, int]]) -> None:
        """Join all factors that are left in this order: they by their places, and behind them the products."""
        numbers = list(self._factors)
        for one, other in order:
            left, right = numbers[one], numbers[other]
            numbers.append(self._take(left, right, self._product(left, right)))

    def join(self) -> None:
        """Join one pair."""
        if self._waiting is None:
            self._waiting = [self._entry(*pair) for pair in combinations(self._factors, 2)]
            heapify(self._waiting)
        while True:
            _, left, right, best = heappop(self._waiting)
            if left in self._factors and right in self._factors:
                break
        others = self.numbers
        made = self._take(left, right, best)
        for other in others:
            if other in self._factors:
                heappush(self._waiting, self._entry(other, made))

    def _entry(self, left: int, right: int) -> tuple[tuple[float, ...], int, int, PairProduct]:
        product = self._product(left, right)
        return (max(0, product.cost[-1] - self._largest), product.share, *product.cost), left, right, product

    def _take(self, left: int, right: int, product: PairProduct) -> int:
        """Put a product in the place of two factors; its number."""
        number = len(self.original.factors) + len(self.joined)
        self.joined.append((left, right, product))
        for factor in (self._factors.pop(left), self._factors.pop(right)):
            self._uses.subtract(factor.indices)
        self._factors[number] = product.factor
        self._uses.update(product.factor.indices)
        self._uses = +self._uses
        if left in self._once and right in self._once:
            self._once.add(number)
        return number

    def _product(self, left: int, right: int) -> PairProduct:
        pair = self._factors[left], self._factors[right]
        own = Counter(name for factor in pair for name in factor.indices)
        return _product(pair, {name for name, uses in own.items() if self._uses[name] > uses}, self.original)


def _product(pair: Sequence[Factor], elsewhere: set[str], problem: Problem) -> PairProduct:
    """The product of a pair of factors; `elsewhere` are the indices that the others and the result have."""
    extents = problem.extents
    both = dict.fromkeys(name for factor in pair for name in factor.indices)
    indices = tuple(name for name in extents if name in both and name in elsewhere)
    pattern = conjunction(exists(constrained(pair), indices), indices, extents)
    nonzeros = entries(pattern, [extents[name] for name in indices])
    points = product(extents[name] for name in both)
    free = product(extents[name] for name in both if not any(name in f.indices for f in constrained(pair)))
    operations = 2 * free * count(constrained(pair), extents) - nonzeros
    reduces = len(indices) < len(both)
    common = [name for name in indices if all(name in factor.indices for factor in pair)]
    calls = product(extents[name] for name in common) if reduces else 1
    size = product(extents[name] for name in indices)
    cost = (hint(operations), hint(2 * points if reduces else points), hint(calls), hint(size))
    return PairProduct(
        Factor(indices, pattern),
        nonzeros,
        operations,
        cost,
        cost[-1] / sum(hint(product(extents[name] for name in f.indices)) for f in pair),
    )
