"""A problem that was asked for before is not searched again, and no other is taken for it."""

from math import inf

import numpy as np

from einsum_front.core.extent import static
from einsum_front.core.pattern_network import Factor
from einsum_front.core.runs import Mask
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.plan.order import best_orders
from einsum_front.ir.plan.products import memoized_orders
from einsum_front.ir.plan.subsets import Problem


def asked(left: Mask, once: frozenset[int] = frozenset()) -> Problem:
    """The product of a matrix with this pattern and a dense one with five columns."""
    rows, depth = left.shape
    factors = (Factor(("i", "k"), Pattern.of_array(left)), Factor(("k", "j"), Pattern.full((depth, 5))))
    return Problem(factors, Factor(("i", "j"), Pattern.full((rows, 5))), {"i": rows, "j": 5, "k": depth}, once=once)


def test_the_same_question_has_the_same_answer() -> None:
    dense = np.ones((3, 4), np.bool_)
    first = memoized_orders(asked(dense), inf)
    assert first == best_orders(asked(dense))
    assert memoized_orders(asked(dense.copy()), inf) is first


def test_everything_that_matters_makes_another_question() -> None:
    dense = np.ones((3, 4), np.bool_)
    first = memoized_orders(asked(dense), inf)
    other = dense.copy()
    other[1, 2] = False
    fewer, all_ = (static(each.orders[0].operations) for each in (memoized_orders(asked(other), inf), first))
    assert fewer < all_
    assert memoized_orders(asked(np.ones((4, 3), np.bool_)), inf) != first
    assert memoized_orders(asked(dense, once=frozenset({0, 1})), inf) is not first
    assert memoized_orders(asked(dense), 1.0) is not first
