"""Subsets of the factors of a contraction: their indices, sizes, patterns, and what it costs to join two of them.

Bit i of a mask of factors is factor i, bit `count` the result, which takes part as a factor: it says which entries are
needed. A subset and its complement share the same indices, and an entry of the subset's product counts if both allow
it. A product of A and B makes the pattern of three parts: A, B and the rest C.
"""

from collections import Counter, deque
from collections.abc import Iterable, Mapping, Sequence
from heapq import heapify, heappop, heappush
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, hint, product
from einsum_front.core.machine import LaunchCosts
from einsum_front.core.machines import GENERIC
from einsum_front.core.pattern_network import Factor, constrained, exists
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import Interval, conjunction, count, entries, within

# -- the ordering problem of one contraction ---------------------------------------------------------------------------
# Its factors, cut to the positions that matter.


@dataclass(frozen=True, eq=False)
class Problem:
    """A product of factors whose patterns are equivalent ones, so that nothing in them is superfluous.

    `result` says which entries are needed; `extents` are those of all indices, in the order of the iteration space.
    Every index occurs in two parts at least: sums over an index of one factor alone are done before. Factors whose
    numbers are `once` are batch-invariant, and products of them may be computed once per launch, which costs
    an element what `launch` says.
    """

    factors: tuple[Factor, ...]
    result: Factor
    extents: Mapping[str, Extent]
    once: frozenset[int] = frozenset()
    launch: LaunchCosts = GENERIC.launch


def cut(factor: Factor, ranges: dict[str, Interval]) -> Factor:
    """The factor on the given ranges of its indices."""
    return Factor(factor.indices, within((ranges[name] for name in factor.indices), factor.pattern))


def ranges_of(factors: Sequence[Factor], boxes: Sequence[Sequence[Interval]]) -> dict[str, Interval]:
    """The range of every index: where its first factor has entries.

    Equivalent patterns of the factors of one contraction agree about it.
    """
    ranges: dict[str, Interval] = {}
    for factor, box in zip(factors, boxes, strict=True):
        for name, interval in zip(factor.indices, box, strict=True):
            ranges.setdefault(name, interval)
    return ranges


def alone(factors: Sequence[Factor], result: IndexMap) -> tuple[IndexMap, ...]:
    """For each factor, the indices that neither the result nor another factor has."""
    return tuple(
        tuple(
            name
            for name in factor.indices
            if name not in result and not any(name in other.indices for other in factors if other is not factor)
        )
        for factor in factors
    )


Masks = NDArray[np.int64]
Numbers = NDArray[np.float64]

_CHUNK = 12


class Subsets:
    """All that the search for the best order asks about subsets.

    `members` is the number of factors of each subset; `is_dense` says that no entry of anything is known to be zero.
    """

    def __init__(self, problem: Problem) -> None:
        self.count = len(problem.factors)
        self._problem = problem
        self._names = tuple(problem.extents)
        self._parts = (*problem.factors, problem.result)
        self._whole = (1 << (self.count + 1)) - 1
        self._open = self._open_indices()
        extents = tuple(map(hint, problem.extents.values()))
        self._tables = [_products(extents[start : start + _CHUNK]) for start in range(0, len(extents), _CHUNK)]
        self.is_dense = not constrained(self._parts)
        self.members = _sums([1] * self.count)
        self._patterns: dict[int, tuple[Factor, ...]] = {}
        self._counts: dict[tuple[int, ...], Extent] = {}
        self._once = sum(1 << number for number in problem.once)
        self._entries_read: Numbers = np.zeros(1 << self.count if self._once else 0)

    def is_once(self, subsets: Masks) -> NDArray[np.bool_]:
        """Which of the subsets are products of factors that are batch-invariant."""
        once: NDArray[np.bool_] = (subsets & ~self._once) == 0
        return once

    def indices(self, subset: int) -> IndexMap:
        """The indices of the tensor that a subset becomes."""
        return self._named(int(self._open[subset]))

    def sizes(self, subsets: Masks) -> Numbers:
        """The number of entries of the tensors that subsets become."""
        return self._volumes(self._open[subsets])

    def operation_counts(self, whole: Masks, left: Masks) -> Numbers:
        """Operations on nonzero entries of the products that make each of `whole` from `left` and the rest of it.

        With factors that are `once`: what each element bears of them, the entries of constants that it reads included.
        """
        counts = self._all_operations(whole, left)
        if not self._once:
            return counts
        read = self._entries_once(left) + self._entries_once(whole ^ left)
        return np.where(self.is_once(whole), self._problem.launch.share(1) * counts, counts + read)

    def _entries_once(self, subsets: Masks) -> Numbers:
        """Nonzero entries of those subsets that are batch-invariant, 0 of the others."""
        once = np.unique(subsets[self.is_once(subsets)])
        for subset in once[self._entries_read[once] == 0].tolist():
            self._entries_read[subset] = self._problem.launch.constant * hint(self.entries(subset))
        return self._entries_read[subsets]

    def _all_operations(self, whole: Masks, left: Masks) -> Numbers:
        if self.is_dense:
            points = self._volumes(self._open[left] | self._open[whole ^ left])
            return 2 * points - self.sizes(whole)
        splits = zip(whole.tolist(), left.tolist(), strict=True)
        return np.array([hint(self.operations(subset, part, subset ^ part)) for subset, part in splits], np.float64)

    def executed_and_calls(self, whole: Masks, left: Masks) -> tuple[Numbers, Numbers]:
        """Operations on boxes, and GEMM calls, of the same products; none of those that are made once."""
        result, operands = self._open[whole], (self._open[left], self._open[whole ^ left])
        reduces = (operands[0] | operands[1]) & ~result != 0
        points = self._volumes(operands[0] | operands[1])
        executed = np.where(reduces, 2 * points - self._volumes(result), points)
        calls = np.where(reduces, self._volumes(operands[0] & operands[1] & result), 1)
        if not self._once:
            return executed, calls
        per_element = ~self.is_once(whole)
        return executed * per_element, calls * per_element

    def entries(self, subset: int) -> Extent:
        """Nonzero entries of the tensor that a subset becomes."""
        return self._combinations(subset, self._whole ^ subset)

    def operations(self, subset: int, left: int, right: int) -> Extent:
        """Operations on nonzero entries of the product of left and right, which make the subset."""
        rest = self._whole ^ subset
        return 2 * self._combinations(left, right, rest) - self._combinations(subset, rest)

    def _combinations(self, *parts: int) -> Extent:
        """How many combinations of positions the patterns of all parts allow."""
        factors = [factor for part in parts for factor in self._pattern(part)]
        key = tuple(sorted(id(factor) for factor in factors))
        if key not in self._counts:
            self._counts[key] = count(factors, self._problem.extents)
        constrained_indices = {name for factor in factors for name in factor.indices}
        free = {name for part in parts for name in self._named(int(self._open[part]))} - constrained_indices
        return self._counts[key] * product(self._problem.extents[name] for name in free)

    def _pattern(self, subset: int) -> tuple[Factor, ...]:
        """The pattern of a subset's product over its indices, as a network."""
        if subset not in self._patterns:
            highest = subset.bit_length() - 1
            lower = subset ^ (1 << highest)
            factors = constrained([self._parts[highest]])
            if lower:
                factors = [*self._pattern(lower), *factors]
            self._patterns[subset] = tuple(exists(factors, self._named(int(self._open[subset]))))
        return self._patterns[subset]

    def _open_indices(self) -> Masks:
        """For every subset the mask of the indices that it shares with its complement."""
        number = {name: position for position, name in enumerate(self._names)}
        used = np.zeros(1, np.int64)
        for part in self._parts:
            mask = sum(1 << number[name] for name in part.indices)
            used = np.concatenate((used, used | mask))
        return used & used[::-1]

    def _named(self, mask: int) -> IndexMap:
        return tuple(name for position, name in enumerate(self._names) if mask >> position & 1)

    def _volumes(self, masks: Masks) -> Numbers:
        """The product of the extents of the indices in each mask."""
        volumes = np.ones(masks.shape)
        for chunk, table in enumerate(self._tables):
            volumes *= table[(masks >> (chunk * _CHUNK)) & (len(table) - 1)]
        return volumes


def _products(extents: Iterable[int]) -> Numbers:
    """The products of all subsets, by their masks."""
    table = np.ones(1)
    for extent in extents:
        table = np.concatenate((table, table * extent))
    return table


def _sums(weights: Iterable[int]) -> Masks:
    """The sums of all subsets, by their masks."""
    table = np.zeros(1, np.int64)
    for weight in weights:
        table = np.concatenate((table, table + weight))
    return table


# -- products of two factors of a contraction, looked at one by one ----------------------------------------------------
# For contractions with very many factors.


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
