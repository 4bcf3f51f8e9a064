"""The order of products against all orders there are."""

from collections.abc import Iterator
from itertools import pairwise
from math import prod

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ir.plan.order import EXACT_LIMIT, Operand, Order, Pair, Tree, best_orders, members, splits
from ir.plan.pattern import Factor, broadcast, dense
from ir.plan.problem import Problem
from ir.zero_pattern import Mask

NAMES = "ijklmno"


@st.composite
def problems(draw: st.DrawFn, largest: int, with_zeros: bool) -> Problem:
    """Contractions in which every index occurs in two factors or more, or in a factor and the result."""
    extents = {name: draw(st.integers(1, 3)) for name in NAMES[: draw(st.integers(2, 6))]}
    maps = [draw(st.sets(st.sampled_from(sorted(extents)), max_size=3)) for _ in range(draw(st.integers(2, largest)))]
    occurring = [name for name in extents if any(name in map_ for map_ in maps)]
    alone = [name for name in occurring if sum(name in map_ for map_ in maps) == 1]
    result = [name for name in occurring if name in alone or draw(st.booleans())]
    factors = [Factor(tuple(sorted(map_)), pattern(draw, sorted(map_), extents, with_zeros)) for map_ in maps]
    outcome = Factor(tuple(result), pattern(draw, result, extents, with_zeros))
    return Problem(tuple(factors), outcome, {name: extents[name] for name in occurring})


def pattern(draw: st.DrawFn, names: list[str], extents: dict[str, int], with_zeros: bool) -> Mask:
    shape = tuple(extents[name] for name in names)
    if not with_zeros or draw(st.booleans()):
        return dense(shape)
    bits = draw(st.lists(st.booleans(), min_size=prod(shape), max_size=prod(shape)))
    return np.array(bits, np.bool_).reshape(shape)


def trees(factors: tuple[int, ...]) -> Iterator[Tree]:
    """All binary trees over the factors."""
    if len(factors) == 1:
        yield Operand(factors[0])
        return
    first, *rest = factors
    for chosen in range(1 << len(rest)):
        left = (first, *(f for bit, f in enumerate(rest) if chosen >> bit & 1))
        right = tuple(f for f in rest if f not in left)
        if right:
            yield from (Pair(a, b, (), 0, 0) for a in trees(left) for b in trees(right))


class Counted:
    """Operations of trees, by counting entries of arrays that have every index; each product is counted once."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.known: dict[tuple[frozenset[int], frozenset[int]], int] = {}

    def operations(self, tree: Tree) -> int:
        if isinstance(tree, Operand):
            return 0
        parts = frozenset(members(tree.left)), frozenset(members(tree.right))
        if parts not in self.known:
            points = joint(self.problem, self.open_indices(parts[0]) | self.open_indices(parts[1]))
            self.known[parts] = 2 * points - joint(self.problem, self.open_indices(parts[0] | parts[1]))
        return self.known[parts] + self.operations(tree.left) + self.operations(tree.right)

    def open_indices(self, inside: frozenset[int]) -> set[str]:
        """The indices that factors share with the others or the result."""
        factors = self.problem.factors
        own = {name for number in inside for name in factors[number].indices}
        others = [factor for number, factor in enumerate(factors) if number not in inside]
        return own & {name for factor in (*others, self.problem.result) for name in factor.indices}


def joint(problem: Problem, keep: set[str]) -> int:
    """How many positions of the indices `keep` occur where all factors and the result have entries."""
    names = tuple(problem.extents)
    mask = np.ones(tuple(problem.extents.values()), np.bool_)
    for factor in (*problem.factors, problem.result):
        mask = mask & broadcast(factor.mask, factor.indices, names, problem.extents)
    dropped = tuple(axis for axis, name in enumerate(names) if name not in keep)
    return int(np.count_nonzero(mask.any(axis=dropped)))


def assert_best(problem: Problem) -> None:
    best, *others = best_orders(problem)
    assert sorted(members(best.tree)) == list(range(len(problem.factors)))
    counted = Counted(problem)
    assert best.operations == counted.operations(best.tree)
    assert best.operations == min(counted.operations(tree) for tree in trees(tuple(range(len(problem.factors)))))
    assert all(cost(best) <= cost(other) for other in others)


def cost(order: Order) -> tuple[int, ...]:
    return order.operations, order.executed, order.calls, order.temporaries


@pytest.mark.generated
@given(problems(largest=6, with_zeros=False))
def test_no_order_of_dense_factors_takes_fewer_operations(problem: Problem) -> None:
    assert_best(problem)


@pytest.mark.generated
@given(problems(largest=4, with_zeros=True))
def test_no_order_of_factors_with_zeros_takes_fewer_operations(problem: Problem) -> None:
    assert_best(problem)


def chain(extents: list[int]) -> Problem:
    """A product of matrices."""
    names = [f"i{number}" for number in range(len(extents))]
    sizes = dict(zip(names, extents, strict=True))
    pairs = pairwise(names)
    factors = tuple(Factor((a, b), dense((sizes[a], sizes[b]))) for a, b in pairs)
    return Problem(factors, Factor((names[0], names[-1]), dense((extents[0], extents[-1]))), sizes)


def test_fewest_loops_around_matrix_products_win_where_operations_are_equal() -> None:
    """`J[k] = Q[k,q] * Q[k,q] * w[q]`: products entry by entry first, then one matrix-vector product."""
    matrix, vector = dense((20, 6)), dense((6,))
    factors = Factor(("k", "q"), matrix), Factor(("k", "q"), matrix), Factor(("q",), vector)
    (best, *_) = best_orders(Problem(factors, Factor(("k",), dense((20,))), {"k": 20, "q": 6}))
    assert best == Order(
        Pair(Pair(Operand(0), Operand(1), ("k", "q"), 120, 120), Operand(2), ("k",), 20, 220), 340, 360, 2, 120
    )


def test_outer_products_are_looked_at() -> None:
    """Two short vectors first: the matrix in the middle is met once."""
    sizes = {"i": 2, "j": 2, "k": 100}
    factors = Factor(("i",), dense((2,))), Factor(("i", "j", "k"), dense((2, 2, 100))), Factor(("j",), dense((2,)))
    (best, *_) = best_orders(Problem(factors, Factor(("k",), dense((100,))), sizes))
    assert members(best.tree) == (0, 2, 1)
    assert best.operations == 4 + 2 * 400 - 100


@pytest.mark.parametrize("count", [EXACT_LIMIT, EXACT_LIMIT + 1, 20])
def test_long_products_are_ordered_too(count: int) -> None:
    random = np.random.default_rng(count)
    problem = chain([int(size) for size in random.integers(2, 30, count + 1)])
    (best, *_) = best_orders(problem)
    assert sorted(members(best.tree)) == list(range(count))
    assert best.operations >= matrix_chain(list(problem.extents.values()))
    if count <= EXACT_LIMIT:
        assert best.operations == matrix_chain(list(problem.extents.values()))


def matrix_chain(extents: list[int]) -> int:
    """The textbook's dynamic program for chains."""
    count = len(extents) - 1
    best = {(i, i): 0 for i in range(count)}
    for length in range(2, count + 1):
        for i in range(count - length + 1):
            j = i + length - 1
            best[i, j] = min(
                best[i, s] + best[s + 1, j] + (2 * extents[s + 1] - 1) * extents[i] * extents[j + 1]
                for s in range(i, j)
            )
    return best[0, count - 1]


def test_every_split_occurs_once() -> None:
    whole, left = splits(5, 3)
    assert [bin(subset).count("1") for subset in whole] == [3] * 10
    for subset, parts in zip(whole.tolist(), left.tolist(), strict=True):
        pairs = {frozenset((part, subset ^ part)) for part in parts}
        assert len(pairs) == len(parts) == 3
        assert all(part & ~subset == 0 and 0 < part < subset for part in parts)
