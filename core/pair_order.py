"""An order of products, found in microseconds: what a call needs that has no kernel yet, and where a search begins.

Sets of indices are bits of a number. Operands with the same indices are multiplied first: that costs nothing
(decision 29). The order is greedy: of all pairs that share an index, the one whose product needs the fewest entries
more than its two operands have. Where another order could save more than it takes to look for it, all are compared, or
parts of more operands are exchanged (decision 98). That is counted, not timed: orders do not depend on the
machine.
"""

from collections.abc import Sequence
from heapq import heapify, heappop, heappush
from math import inf
from typing import TypeVar

# -- an order of products made better by exchanging parts of it --------------------------------------------------------
# Simulated annealing, the same in every process.
#
#     (A B) C        becomes        (A C) B   or   (B C) A
#
# where A, B and C are operands or products. An exchange changes one product and the one above it, so it costs two
# sums of set bits and two look-ups: a microsecond. It is taken if the two products get cheaper, and by chance if they
# do not, the less the colder it is. Rounds begin with the best order so far and are as long as a network has
# operands. (Kalachev, Panteleev, Yung, "Multi-tensor contraction for XEB verification of quantum circuits",
# arXiv:2108.05665, 2021: the same moves, which find the orders of programs that search for minutes.)

Number = TypeVar("Number", int, float)
Pairs = list[tuple[int, int]]
"""Products: operands by number, and behind them the results of the pairs before."""

ROUND = 250
"""Exchanges that are tried in a round, for each operand."""

LEAST, FOR_EACH_CYCLE, MOST = 50, 32, 131_072
"""Exchanges that are worth to be tried: so many for each operand, so many more for each operand and each cycle of the
network, whose products can go around it in two ways, and no more than a tenth of a second takes."""

HOT, COLD = 1.0, 0.02
"""The first and the last temperature: a product that becomes k times as large is taken with k**(-1/temperature)."""

STEPS = 256
"""Exchanges at one temperature."""

TOO_LARGE = 1e300
"""Operations that are as many as any."""

FACTOR, SUMMAND, DIGITS = 6364136223846793005, 1442695040888963407, (1 << 64) - 1
"""A generator of pseudo-random numbers (Knuth's MMIX)."""


def exchanges_worth(terms: Sequence[int], sizes: Sequence[int]) -> int:
    """The number of exchanges after which an order hardly gets better; a chain or a tree needs few."""
    count = len(terms)
    cycles = sum(term.bit_count() for term in terms) - len(sizes) - count + 1
    return min(MOST, count * (LEAST + FOR_EACH_CYCLE * max(0, cycles)))


def exchanged(terms: Sequence[int], output: int, sizes: Sequence[int], pairs: Pairs, exchanges: int) -> Pairs:
    """An order that takes no more operations than `pairs`; so many exchanges are tried.

    `terms` and `output` are sets of indices as bits, `sizes` has the extent of each bit.
    """
    tree = _Tree(terms, output, sizes, pairs)
    number = 0
    while exchanges > 0:
        number += 1
        tree.anneal(min(exchanges, ROUND * len(terms)), number)
        exchanges -= ROUND * len(terms)
    return tree.pairs()


class _Tree:
    """A tree of products by numbers, as in pairs: operands first, the whole last."""

    def __init__(self, terms: Sequence[int], output: int, sizes: Sequence[int], pairs: Pairs) -> None:
        self._sizes = sizes
        self._known: dict[int, float] = {}
        self._count = len(terms)
        operands = [0] * self._count
        self.left = operands + [one for one, _ in pairs]
        self.right = operands + [other for _, other in pairs]
        self.kept = _kept(terms, output, pairs)
        self.costs = [0.0] * len(self.kept)
        for node in range(self._count, len(self.kept)):
            one, other = self.kept[self.left[node]], self.kept[self.right[node]]
            self.costs[node] = 2 * self._size(one | other) - self._size(self.kept[node])

    def anneal(self, exchanges: int, seed: int) -> None:
        """One round; the tree is the best one behind it."""
        left, right, kept, costs, size = self.left, self.right, self.kept, self.costs, self._size
        count, products = self._count, len(kept) - self._count
        total = best = sum(costs)
        found = left[:], right[:], kept[:], costs[:]
        temperature, cooling = HOT, (COLD / HOT) ** (STEPS / exchanges)
        state = seed * 0x9E3779B97F4A7C15 & DIGITS
        for step in range(exchanges):
            if not step % STEPS:
                temperature *= cooling
            state = (state * FACTOR + SUMMAND) & DIGITS
            bits = state >> 20
            above = count + bits % products
            node, third = left[above], right[above]
            if (bits & 1 << 40 and third >= count) or node < count:
                node, third = third, node
            if node < count:
                continue  # a product of two operands
            first, second = left[node], right[node]
            if bits & 1 << 41:
                first, second = second, first
            one, two, three, whole = kept[first], kept[second], kept[third], kept[above]
            made = (two | three) & (one | whole)
            cost = 2 * size(two | three) - size(made)
            cost_above = 2 * size(one | made) - size(whole)
            before, after = costs[node] + costs[above], cost + cost_above
            if after <= before or after * ((bits % 999_983 + 1) / 999_983) ** temperature < before:
                left[node], right[node], left[above], right[above] = second, third, node, first
                kept[node], costs[node], costs[above] = made, cost, cost_above
                total += after - before
                if total < best * (1 - 1e-12):
                    best = total
                    found = left[:], right[:], kept[:], costs[:]
        self.left, self.right, self.kept, self.costs = found

    def pairs(self) -> Pairs:
        """The products, each behind those that it is made of."""
        number = list(range(len(self.kept)))
        found: Pairs = []
        waiting = [(len(self.kept) - 1, False)]
        while waiting:
            node, is_open = waiting.pop()
            if is_open:
                found.append((number[self.left[node]], number[self.right[node]]))
                number[node] = self._count + len(found) - 1
            elif node >= self._count:
                waiting += ((node, True), (self.right[node], False), (self.left[node], False))
        return found

    def _size(self, term: int) -> float:
        """Entries of an array with these indices."""
        found = self._known.get(term)
        if found is None:
            self._known[term] = found = min(entries_of(term, self._sizes, 1.0), TOO_LARGE)
        return found


def entries_of(term: int, sizes: Sequence[Number], one: Number) -> Number:
    """Entries of an array with these indices; `one` is the number 1 of the type that is counted in."""
    found = one
    while term:
        low = term & -term
        found *= sizes[low.bit_length() - 1]
        term ^= low
    return found


def _kept(terms: Sequence[int], output: int, pairs: Pairs) -> list[int]:
    """The indices of operands and products: those that others or the result have."""
    kept = list(terms)
    users: dict[int, int] = {}
    for term in (*terms, output):
        for low in _bits(term):
            users[low] = users.get(low, 0) + 1
    for pair in pairs:
        one, other = (kept[number] for number in pair)
        made = 0
        for low in _bits(one | other):
            users[low] -= (one & low > 0) + (other & low > 0)
            if users[low]:
                made |= low
                users[low] += 1
        kept.append(made)
    return kept


def _bits(term: int) -> list[int]:
    found = []
    while term:
        low = term & -term
        found.append(low)
        term ^= low
    return found


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
