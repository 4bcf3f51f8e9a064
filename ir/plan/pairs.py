"""Products of two factors of a contraction, looked at one by one: for contractions with very many factors."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

from ir.plan.pattern import Factor, conjunction, constrained, count, exists, nonzeros
from ir.plan.problem import Problem


@dataclass(frozen=True, slots=True)
class PairProduct:
    """The product of the factors `left` and `right`, with its costs in the order of their weight."""

    left: int
    right: int
    factor: Factor
    entries: int
    operations: int
    cost: tuple[int, int, int, int]


def pair_products(problem: Problem) -> Iterator[PairProduct]:
    """The products of all pairs of factors."""
    for left, right in combinations(range(len(problem.factors)), 2):
        yield _product(problem, left, right)


def with_product(problem: Problem, product: PairProduct) -> Problem:
    """The problem with the product, as its last factor, in place of its two factors."""
    rest = [factor for number, factor in enumerate(problem.factors) if number not in (product.left, product.right)]
    factors = (*rest, product.factor)
    used = {name for factor in factors for name in factor.indices}
    extents = {name: extent for name, extent in problem.extents.items() if name in used}
    return Problem(factors, problem.result, extents)


def _product(problem: Problem, left: int, right: int) -> PairProduct:
    pair = [problem.factors[left], problem.factors[right]]
    others = [factor for number, factor in enumerate(problem.factors) if number not in (left, right)]
    elsewhere = {name for factor in (*others, problem.result) for name in factor.indices}
    both = dict.fromkeys(name for factor in pair for name in factor.indices)
    indices = tuple(name for name in problem.extents if name in both and name in elsewhere)
    mask = conjunction(exists(constrained(pair), indices), indices, problem.extents)
    entries = nonzeros(mask)
    points = prod(problem.extents[name] for name in both)
    free = prod(problem.extents[name] for name in both if not any(name in f.indices for f in constrained(pair)))
    operations = 2 * free * count(constrained(pair)) - entries
    reduces = len(indices) < len(both)
    common = [name for name in indices if all(name in factor.indices for factor in pair)]
    calls = prod(problem.extents[name] for name in common) if reduces else 1
    size = prod(problem.extents[name] for name in indices)
    cost = (operations, 2 * points if reduces else points, calls, size)
    return PairProduct(left, right, Factor(indices, mask), entries, operations, cost)
