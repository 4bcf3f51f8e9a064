"""Orders of products that are found at once: valid, and no worse than greedy ones."""

from collections.abc import Sequence
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core import pair_order as module
from einsum_front.core.pair_order import Pairs, pair_order

Network = tuple[list[int], int, list[int]]


@st.composite
def networks(draw: st.DrawFn) -> Network:
    """Sets of up to eight indices, those of the result, and the extents."""
    sizes = draw(st.lists(st.sampled_from((2, 3, 7, 50)), min_size=1, max_size=8))
    every = 2 ** len(sizes)
    terms = draw(st.lists(st.integers(0, every - 1), min_size=2, max_size=7))
    union = 0
    for term in terms:
        union |= term
    return terms, draw(st.integers(0, every - 1)) & union, sizes


def multiplications(pairs: Pairs, terms: Sequence[int], output: int, sizes: Sequence[int]) -> int:
    """Of all products; each operand and each product is taken once."""
    known = dict(enumerate(terms))
    total = 0
    for number, (one, other) in enumerate(pairs):
        first, second = known.pop(one), known.pop(other)
        left = output
        for term in known.values():
            left |= term
        total += prod(size for place, size in enumerate(sizes) if (first | second) >> place & 1)
        known[len(terms) + number] = (first | second) & left
    assert len(known) == 1
    return total


@given(networks())
def test_all_operands_are_multiplied(network: Network) -> None:
    terms, output, sizes = network
    pairs = pair_order(terms, output, sizes)
    assert len(pairs) == len(terms) - 1
    greedy = module._Network(terms, output, sizes)
    assert multiplications(pairs, *network) <= multiplications(greedy.greedy(), *network) == greedy.multiplications


@given(networks())
def test_the_exact_search_finds_the_best(network: Network) -> None:
    terms, output, sizes = network
    if len(terms) > 4:
        terms = terms[:4]
        union = 0
        for term in terms:
            union |= term
        output &= union
    found = module._exact(terms, output, sizes, 10**30)
    assert found is not None
    best = min(
        multiplications(pairs, terms, output, sizes) for pairs in every_order(list(range(len(terms))), len(terms))
    )
    assert multiplications(found, terms, output, sizes) == best


def every_order(left: list[int], following: int) -> list[Pairs]:
    if len(left) == 1:
        return [[]]
    return [
        [(one, other), *rest]
        for place, one in enumerate(left)
        for other in left[place + 1 :]
        for rest in every_order([each for each in left if each not in (one, other)] + [following], following + 1)
    ]


@pytest.mark.parametrize(("operands", "sums"), [(50, 2), (27, 1)])
def test_chains_and_equal_operands_take_few_steps(operands: int, sums: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chain of 50 matrices, and 27 vectors: ratings of pairs grow with the operands, not with their pairs."""
    rated = []
    rate = module._Network._rated

    def watched(network: module._Network, one: int, other: int) -> tuple[int, int, int]:
        rated.append((one, other))
        return rate(network, one, other)

    monkeypatch.setattr(module._Network, "_rated", watched)
    if sums == 2:
        terms, sizes = [3 << number for number in range(operands)], [4] * (operands + 1)
        output = 1 | 1 << operands
    else:
        terms, sizes, output = [1] * operands, [10], 0
    assert len(pair_order(terms, output, sizes)) == operands - 1
    assert len(rated) <= 4 * operands
