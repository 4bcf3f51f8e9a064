"""An order of products, found in microseconds: what a call needs that has no kernel yet, and where a search begins.

Sets of indices are bits of a number. Operands with the same indices are multiplied first: that costs nothing
(decision 29). The order is greedy: of all pairs that share an index, the one whose product needs the fewest entries
more than its two operands have. Where another order could save more than it takes to look for it, all are compared, or
parts of more operands are exchanged (`exchanges`, decision 98). That is counted, not timed: orders do not depend on the
machine.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import inf

from einsum_front.core.exchanges import LEAST, Pairs, entries_of, exchanged, exchanges_worth

MOST_EXACT = 10
"""Operands of which all orders may be compared."""

SEARCH = 1.5
"""Nanoseconds to compare one split of a set of operands in two, over those of a multiplication."""

EXCHANGE = 500
"""Multiplications that an exchange is worth: the order is looked for about as long as its first two uses take."""


def pair_order(terms: Sequence[int], output: int, sizes: Sequence[int], times: float = 1) -> Pairs:
    """Pairs that multiply all of at least two operands; `sizes` has the extent of each bit.

    The order is for so many `times`, which says what a search is worth; `inf` if that does not matter.
    """
    network = _Network(terms, output, sizes)
    pairs = network.greedy()
    worth = network.multiplications * times
    if 2 < len(terms) <= MOST_EXACT and len(set(terms)) > 2 and 3 ** len(terms) * SEARCH * 100 < worth:
        found = _exact(terms, output, sizes, network.multiplications)
        return found if found is not None else pairs
    exchanges = exchanges_worth(terms, sizes)
    if worth < inf:
        exchanges = min(exchanges, int(worth) // EXCHANGE)
    if len(set(terms)) < 3 or exchanges < len(terms) * LEAST:
        return pairs
    return exchanged(terms, output, sizes, pairs, exchanges)


class _Network:
    """What is left to multiply: indices by operand, and how many operands have an index."""

    def __init__(self, terms: Sequence[int], output: int, sizes: Sequence[int]) -> None:
        self.terms: dict[int, int] = dict(enumerate(terms))
        self.output = output
        self.sizes = sizes
        self.counts = [0] * len(sizes)
        self.having: list[set[int]] = [set() for _ in sizes]
        self.entries: dict[int, int] = {}
        self.multiplications = 0
        self.pairs: Pairs = []
        self.next = len(self.terms)
        for number, term in self.terms.items():
            self._add(number, term)

    def greedy(self) -> Pairs:
        """All products, in a good order."""
        self._join_equal()
        waiting = []
        for number, term in self.terms.items():
            for other in self._neighbours(term):
                if other > number:
                    waiting.append(self._rated(number, other))
        heapify(waiting)
        while waiting:
            _, one, other = heappop(waiting)
            if one in self.terms and other in self.terms:
                made = self._multiply(one, other)
                for neighbour in self._neighbours(self.terms[made]):
                    if neighbour != made:
                        heappush(waiting, self._rated(neighbour, made))
        left = sorted(self.terms, key=lambda number: (self._size(self.terms[number]), number))
        while len(left) > 1:  # nothing in common: small ones first
            made = self._multiply(left[0], left[1])
            left = sorted([*left[2:], made], key=lambda number: (self._size(self.terms[number]), number))
        return self.pairs

    def _join_equal(self) -> None:
        """Operands with the same indices, in pairs until one is left."""
        groups: dict[int, list[int]] = {}
        for number, term in self.terms.items():
            groups.setdefault(term, []).append(number)
        for term, numbers in groups.items():
            if len(numbers) > 1 and term:
                first = numbers[0]
                for number in numbers[1:]:
                    if self.terms[first] == self.terms[number]:  # the last product of all may have summed
                        first = self._multiply(first, number)

    def _neighbours(self, term: int) -> set[int]:
        found: set[int] = set()
        while term:
            low = term & -term
            found |= self.having[low.bit_length() - 1]
            term ^= low
        return found

    def _rated(self, one: int, other: int) -> tuple[int, int, int]:
        a, b = self.terms[one], self.terms[other]
        return self._size(self._kept(a, b)) - self._size(a) - self._size(b), one, other

    def _kept(self, a: int, b: int) -> int:
        """Indices of the product of two: those that others or the result have."""
        kept, both = 0, a | b
        left = both & ~self.output
        while left:
            low = left & -left
            if self.counts[low.bit_length() - 1] > (a & low > 0) + (b & low > 0):
                kept |= low
            left ^= low
        return kept | (both & self.output)

    def _multiply(self, one: int, other: int) -> int:
        a, b = self.terms[one], self.terms[other]
        kept = self._kept(a, b)
        self.multiplications += self._size(a | b)
        self._remove(one, a)
        self._remove(other, b)
        made, self.next = self.next, self.next + 1
        self._add(made, kept)
        self.terms[made] = kept
        self.pairs.append((one, other))
        return made

    def _add(self, number: int, term: int) -> None:
        while term:
            low = term & -term
            place = low.bit_length() - 1
            self.counts[place] += 1
            self.having[place].add(number)
            term ^= low

    def _remove(self, number: int, term: int) -> None:
        del self.terms[number]
        while term:
            low = term & -term
            place = low.bit_length() - 1
            self.counts[place] -= 1
            self.having[place].discard(number)
            term ^= low

    def _size(self, term: int) -> int:
        """Entries of an array with these indices."""
        found = self.entries.get(term)
        if found is None:
            self.entries[term] = found = entries_of(term, self.sizes, 1)
        return found


def _exact(terms: Sequence[int], output: int, sizes: Sequence[int], most: int) -> Pairs | None:
    """The order with the fewest multiplications, by sets of operands; None if none has fewer than `most`."""
    network = _Network(terms, output, sizes)
    whole = (1 << len(terms)) - 1
    union = [0] * (whole + 1)
    for operands in range(1, whole + 1):
        low = operands & -operands
        union[operands] = union[operands ^ low] | terms[low.bit_length() - 1]
    kept = [union[operands] & (union[whole ^ operands] | output) for operands in range(whole + 1)]
    costs: list[int] = [0] * (whole + 1)
    splits = [0] * (whole + 1)
    for operands in range(1, whole + 1):
        if operands & (operands - 1) == 0:
            kept[operands] = terms[operands.bit_length() - 1]  # what only it has is summed in its product
            continue
        best = most
        part = (operands - 1) & operands
        while part > operands ^ part:
            other = operands ^ part
            cost = costs[part] + costs[other]
            if cost < best:
                cost += network._size(kept[part] | kept[other])
                if cost < best:
                    best, splits[operands] = cost, part
            part = (part - 1) & operands
        costs[operands] = best
    if not splits[whole]:
        return None
    pairs: Pairs = []

    def number_of(operands: int) -> int:
        if operands & (operands - 1) == 0:
            return operands.bit_length() - 1
        part = splits[operands]
        one, other = number_of(part), number_of(operands ^ part)
        pairs.append((one, other))
        return len(terms) + len(pairs) - 1

    number_of(whole)
    return pairs
