"""The order of products against all orders there are."""

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from math import inf, prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.core.extent import product, static, static_shape
from einsum_front.core.pattern_network import Factor
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.plan import order, search, subsets
from einsum_front.ir.plan.order import Operand, Order, Pair, Ranking, Tree, best_orders, members
from einsum_front.ir.plan.pattern import broadcast
from einsum_front.ir.plan.search import Search, best_joins, parts_after
from einsum_front.ir.plan.subsets import Problem, Subsets
from einsum_front.ir.plan.subsets import _product as product_of_pair

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


def pattern(draw: st.DrawFn, names: list[str], extents: dict[str, int], with_zeros: bool) -> Pattern:
    shape = tuple(extents[name] for name in names)
    if not with_zeros or draw(st.booleans()):
        return Pattern.full(shape)
    bits = draw(st.lists(st.booleans(), min_size=prod(shape), max_size=prod(shape)))
    return Pattern.of_array(np.array(bits, np.bool_).reshape(shape))


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
    mask = np.ones(static_shape(problem.extents.values()), np.bool_)
    for factor in (*problem.factors, problem.result):
        mask = mask & broadcast(factor.pattern, factor.indices, names, problem.extents).array()
    dropped = tuple(axis for axis, name in enumerate(names) if name not in keep)
    return int(np.count_nonzero(mask.any(axis=dropped)))


def assert_best(problem: Problem) -> None:
    best, *others = best_orders(problem).orders
    assert sorted(members(best.tree)) == list(range(len(problem.factors)))
    counted = Counted(problem)
    assert best.operations == counted.operations(best.tree)
    assert best.operations == min(counted.operations(tree) for tree in trees(tuple(range(len(problem.factors)))))
    assert all(cost(best) <= cost(other) for other in others)


def cost(order: Order) -> tuple[int, ...]:
    return static_shape((order.operations, order.executed, order.calls, order.temporaries))


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
    subsets = pairwise(names)
    factors = tuple(Factor((a, b), Pattern.full((sizes[a], sizes[b]))) for a, b in subsets)
    return Problem(factors, Factor((names[0], names[-1]), Pattern.full((extents[0], extents[-1]))), sizes)


def test_fewest_loops_around_matrix_products_win_where_operations_are_equal() -> None:
    """`J[k] = Q[k,q] * Q[k,q] * w[q]`: products entry by entry first, then one matrix-vector product."""
    matrix, vector = Pattern.full((20, 6)), Pattern.full((6,))
    factors = Factor(("k", "q"), matrix), Factor(("k", "q"), matrix), Factor(("q",), vector)
    (best, *_) = best_orders(Problem(factors, Factor(("k",), Pattern.full((20,))), {"k": 20, "q": 6})).orders
    assert best == Order(
        Pair(Pair(Operand(0), Operand(1), ("k", "q"), 120, 120), Operand(2), ("k",), 20, 220), 340, 340, 2, 120
    )


def test_outer_products_are_looked_at() -> None:
    """Two short vectors first: the matrix in the middle is met once."""
    sizes = {"i": 2, "j": 2, "k": 100}
    factors = (
        Factor(("i",), Pattern.full((2,))),
        Factor(("i", "j", "k"), Pattern.full((2, 2, 100))),
        Factor(("j",), Pattern.full((2,))),
    )
    (best, *_) = best_orders(Problem(factors, Factor(("k",), Pattern.full((100,))), sizes)).orders
    assert members(best.tree) == (0, 2, 1)
    assert best.operations == 4 + 2 * 400 - 100


@pytest.mark.generated
@given(problems(largest=6, with_zeros=False), st.sampled_from([inf, 3]))
def test_a_bound_changes_nothing(problem: Problem, largest: float) -> None:
    unbounded = best_orders(problem, largest=largest)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "FEW", 1)
        bounded = best_orders(problem, largest=largest)
    assert bounded.parts == unbounded.parts
    assert bounded.orders[0] == unbounded.orders[0]
    assert set(map(cost, bounded.orders)) <= set(map(cost, unbounded.orders))


@pytest.mark.generated
@given(problems(largest=4, with_zeros=True))
def test_a_bound_changes_nothing_of_factors_with_zeros(problem: Problem) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "FEW", 1)
        assert_best(problem)


@pytest.mark.generated
@given(problems(largest=6, with_zeros=False), st.data())
def test_no_order_is_better_than_one_that_joins_factors_with_the_same_indices_first(
    problem: Problem, data: st.DataObject
) -> None:
    again = data.draw(st.lists(st.sampled_from(range(len(problem.factors))), max_size=3))
    factors = *problem.factors, *(problem.factors[number] for number in again)
    once = data.draw(st.frozensets(st.sampled_from(range(len(factors)))))
    repeated = replace(problem, factors=factors, once=once)
    searched = best_orders(repeated)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "FEW_ALIKE", 1)
        joined = best_orders(repeated)
    assert joined.parts == searched.parts
    assert borne(joined.orders[0].tree, repeated) <= borne(searched.orders[0].tree, repeated) * (1 + 1e-9)


def borne(tree: Tree, problem: Problem) -> float:
    """The operations that an element bears, what it reads of constants included."""
    if isinstance(tree, Operand):
        return 0
    parts = tree.left, tree.right
    inside = borne(tree.left, problem) + borne(tree.right, problem)
    if is_once(tree, problem):
        return inside + problem.launch.share(1) * static(tree.operations)
    read = sum(size_of(part, problem) for part in parts if is_once(part, problem))
    return inside + static(tree.operations) + problem.launch.constant * read


def is_once(tree: Tree, problem: Problem) -> bool:
    return all(factor in problem.once for factor in members(tree))


def size_of(tree: Tree, problem: Problem) -> int:
    indices = problem.factors[tree.factor].indices if isinstance(tree, Operand) else tree.indices
    return static(product(problem.extents[name] for name in indices))


def test_a_product_of_hundreds_of_vectors_is_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(search.Search, "run")
    vector, count = Factor(("k",), Pattern.full((10,))), 300
    ranking = best_orders(Problem((vector,) * count, vector, {"k": 10}))
    assert ranking.parts == count
    assert ranking.orders[0].operations == (count - 1) * 10


def test_a_pair_of_factors_is_looked_at_once_however_many_are_joined(monkeypatch: pytest.MonkeyPatch) -> None:
    looked_at = []

    def counted(*pair: Any) -> object:
        looked_at.append(pair)
        return product_of_pair(*pair)

    monkeypatch.setattr(subsets, "_product", counted)
    count = 40
    best_orders(with_zeros(chain(extents_of_chain(count))))
    joins = count - order.MOST_FACTORS
    assert len(looked_at) <= count * (count - 1) // 2 + joins * count


@pytest.mark.parametrize("count", [order.FEW, order.FEW + 1, 16, order.MOST_FACTORS])
def test_long_chains_are_ordered_as_well_as_can_be(count: int) -> None:
    ranking = ranking_of_chain(count)
    assert ranking.parts == count
    assert ranking.orders[0].operations == fewest_of_chain(count)


@pytest.mark.parametrize("count", [order.MOST_FACTORS + 1, 40])
def test_of_very_long_products_parts_are_exchanged(count: int) -> None:
    ranking = ranking_of_chain(count)
    assert ranking.parts == 1
    assert fewest_of_chain(count) <= static(ranking.orders[0].operations) <= 1.1 * fewest_of_chain(count)


@pytest.mark.parametrize("count", [order.MOST_FACTORS + 1, 40])
def test_of_very_long_products_with_zeros_pairs_are_joined_first(count: int) -> None:
    ranking = best_orders(with_zeros(chain(extents_of_chain(count))))
    assert 1 < ranking.parts < count
    assert static(ranking.orders[0].operations) <= 2 * fewest_of_chain(count)


@pytest.mark.parametrize("once", [frozenset(), frozenset({3, 4, 5})])
def test_a_search_that_would_be_too_long_is_left_to_exchanges(
    once: frozenset[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    problem = replace(chain(extents_of_chain(16)), once=once)
    best = borne(best_orders(problem).orders[0].tree, problem)
    monkeypatch.setattr(search, "MOST_WORK", 20_000)
    ranking = best_orders(problem)
    assert ranking.parts == 1
    assert best <= borne(ranking.orders[0].tree, problem) <= 1.1 * best


def test_a_search_with_zeros_that_would_be_too_long_starts_from_joined_pairs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(search, "MOST_WORK", 100_000)
    ranking = best_orders(with_zeros(chain(extents_of_chain(16))))
    assert ranking.parts == order.FEW_COUNTED_PARTS
    assert static(ranking.orders[0].operations) <= 1.5 * fewest_of_chain(16)


def with_zeros(problem: Problem) -> Problem:
    """The problem with one zero in a corner of its fourth factor."""
    factor = problem.factors[3]
    rows, columns = factor.pattern.shape
    pattern = Pattern.of_boxes((rows, columns), [((0, rows - 1), (0, columns)), ((0, rows), (0, columns - 1))])
    return replace(problem, factors=(*problem.factors[:3], Factor(factor.indices, pattern), *problem.factors[4:]))


def ranking_of_chain(count: int) -> Ranking:
    ranking = best_orders(chain(extents_of_chain(count)))
    assert all(sorted(members(each.tree)) == list(range(count)) for each in ranking.orders)
    return ranking


def fewest_of_chain(count: int) -> int:
    return matrix_chain(extents_of_chain(count))


def extents_of_chain(count: int) -> list[int]:
    return [int(size) for size in np.random.default_rng(count).integers(2, 30, count + 1)]


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


def test_every_last_product_is_found_once() -> None:
    last = Search(Subsets(chain([2, 3, 4, 5, 6, 7])), inf).run([1 << factor for factor in range(5)])
    assert sorted(last.left.tolist()) == [part for part in range(1, 31) if part & 1]
    assert set(last.whole.tolist()) == {31}


def test_joins_can_be_followed_up_to_any_number_of_parts() -> None:
    joins = best_joins(Subsets(chain([9, 2, 9, 3, 9])), inf)
    assert parts_after(joins, 4) == [1, 2, 4, 8]
    assert parts_after(joins, 3) == [1, 6, 8]
    assert parts_after(joins, 1) == [15]
