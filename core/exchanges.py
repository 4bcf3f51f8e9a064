"""An order of products made better by exchanging parts of it: simulated annealing, the same in every process.

    (A B) C        becomes        (A C) B   or   (B C) A

where A, B and C are operands or products. An exchange changes one product and the one above it, so it costs two sums of
set bits and two look-ups: a microsecond. It is taken if the two products get cheaper, and by chance if they do not, the
less the colder it is. Rounds begin with the best order so far and are as long as a network has operands. (Kalachev,
Panteleev, Yung, "Multi-tensor contraction for XEB verification of quantum circuits", arXiv:2108.05665, 2021: the same
moves, which find the orders of programs that search for minutes.)
"""

from collections.abc import Sequence
from typing import TypeVar

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
