"""Orders with about the same number of operations."""

from math import prod

import numpy as np

from einsum_front.core.extent import static_shape
from einsum_front.core.pattern_network import Factor
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.plan.order import Order, best_orders, members
from einsum_front.ir.plan.subsets import Problem
from tests.ir.programs import plan_of


def problem(factors: tuple[str, ...], result: str, extent: int) -> Problem:
    def factor(indices: str) -> Factor:
        return Factor(tuple(indices), Pattern.full((extent,) * len(indices)))

    return Problem(tuple(map(factor, factors)), factor(result), dict.fromkeys("".join(factors), extent))


def costs(order: Order) -> tuple[int, ...]:
    return static_shape((order.operations, order.executed, order.calls, order.temporaries))


FOUR = ("cbhj", "eafd", "dbag", "cife")


def test_orders_with_as_many_multiplications_are_found() -> None:
    """A ((B C) D) and A (C (B D)) have three products of 16^6 multiplications each."""
    ranking = best_orders(problem(FOUR, "hjig", 16))
    best, (other,) = ranking.orders[0], ranking.equals
    assert other.tree != best.tree
    assert costs(other) == costs(best)
    assert sorted(members(other.tree)) == [0, 1, 2, 3]
    assert ranking.with_first(0) is ranking
    assert ranking.with_first(1).orders[0] is other


def test_small_temporaries_are_not_worth_it() -> None:
    assert best_orders(problem(FOUR, "hjig", 4)).equals == ()


def test_no_order_takes_much_more() -> None:
    ranking = best_orders(problem(("abcd", "cdef", "efgh", "ghij", "ijkl"), "abkl", 8))
    assert ranking.equals
    assert all(costs(order)[0] <= 1.01 * costs(ranking.orders[0])[0] for order in ranking.equals)


def test_operations_do_not_grow_where_zeros_are_known() -> None:
    zeros = np.ones((8,) * 4, np.bool_)
    zeros[0, 0, 0, 0] = False
    dense = problem(("abcd", "cdef", "efgh"), "abgh", 8)
    sparse = Problem((Factor(tuple("abcd"), Pattern.of_array(zeros)), *dense.factors[1:]), dense.result, dense.extents)
    assert best_orders(sparse).equals == ()


def test_layouts_decide_between_them() -> None:
    """Read along the fastest modes, (A B) C and A (B C) cost the same; here only A is easy to read."""
    text = """
    tensor A[16,16,16,16]
    tensor B[16,16,16,16]
    tensor C[16,16,16,16]
    tensor R[16,16,16,16]
    kernel f { R[a,b,g,h] = A[a,b,c,d] * B[e,c,f,d] * C[g,e,h,f] }
    """
    made = plan_of(text)
    (decision,) = made.decisions
    assert decision.ranking.equals
    assert made.cost.operations == decision.taken.operations == 2 * (2 * 16**6) - 2 * 16**4
    assert prod(step.cost.operations != 0 for step in made.steps if len(step.operands) == 2) == 1
