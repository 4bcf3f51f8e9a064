"""Orders that were not taken: all of them, compared with those found one by one."""

from collections.abc import Iterator
from itertools import combinations, pairwise

import pytest

from einsum_front.core.machines import ZEN4
from einsum_front.ir.plan.alternatives import (
    OrderTextError,
    best_of_all,
    costs,
    groups,
    has_same_products,
    order_of_text,
)
from einsum_front.ir.plan.explain import tree_text
from einsum_front.ir.plan.plan import Decision
from einsum_front.ir.plan.planner import plan
from tests.ir.programs import graph_of

FIVE = """
tensor A[4,5,6]
tensor B[5,6] nonzeros [(0,1), (2,3), (4,5)]
tensor C[4,3,5]
tensor D[6,6,5]
tensor E[3,7]
tensor R[7]
kernel f { R[g] = A[a,b,c] * B[b,d] * C[a,e,h] * D[c,d,h] * E[e,g] }
"""

THREE = """
tensor A[4,5]
tensor B[5,6]
tensor R[4,6]
kernel f { R[i,k] = A[i,j] * B[j,l] * B[m,l] * B[m,k] }
"""


def decision_of(text: str) -> Decision:
    return plan(graph_of(text), ZEN4).decisions[0]


def all_texts(names: tuple[str, ...]) -> Iterator[str]:
    """Every order of factors with different names."""
    if len(names) == 1:
        yield names[0]
    first, *others = names
    for size in range(len(others)):
        for with_first in combinations(others, size):
            rest = tuple(name for name in others if name not in with_first)
            for left in all_texts((first, *with_first)):
                yield from (f"({left} {right})" for right in all_texts(rest))


def test_the_best_of_all_are_the_best_of_all() -> None:
    decision = decision_of(FIVE)
    every = [order_of_text(text, decision.factors, decision.problem) for text in all_texts(decision.factors)]
    assert len(every) == 105
    found = best_of_all(decision.problem, 200)
    assert sorted(map(costs, every)) == list(map(costs, found))
    assert list(map(costs, best_of_all(decision.problem, 10))) == list(map(costs, found[:10]))
    assert costs(found[0]) == costs(decision.taken)


def test_an_order_is_read_as_it_is_printed() -> None:
    decision = decision_of(FIVE)
    for order in best_of_all(decision.problem, 20):
        text = tree_text(order.tree, decision.factors)
        assert order_of_text(text, decision.factors, decision.problem) == order


def test_groups_are_ties() -> None:
    decision = decision_of(FIVE)
    together = list(groups(best_of_all(decision.problem, 105)))
    assert all(len(set(map(costs, several))) == 1 for several in together)
    assert all(costs(one[0]) < costs(other[0]) for one, other in pairwise(together))


def test_factors_of_one_name_are_taken_one_after_the_other() -> None:
    decision = decision_of(THREE)
    order = order_of_text("A * B * (B B)", decision.factors, decision.problem)
    assert tree_text(order.tree, decision.factors) == "(A B) (B B)"


def test_the_same_products_in_another_order_of_factors() -> None:
    decision = decision_of(FIVE)
    texts = ("((A B) (C D)) E", "E ((D C) (B A))", "((A B) D) (C E)")
    trees = [order_of_text(text, decision.factors, decision.problem).tree for text in texts]
    assert [has_same_products(trees[0], tree) for tree in trees] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("A B C D", "`E` is missing"),
        ("A B C D E E", "`E` stands there more often than it is a factor"),
        ("A B C D F", "there is no factor `F`"),
        ("(A B C D E", "a bracket is never closed"),
        ("A B) C D E", "a bracket is closed that was never opened"),
        ("A () B C D E", "a bracket is empty, or there are no factors"),
        ("", "a bracket is empty, or there are no factors"),
    ],
)
def test_what_is_no_order(text: str, words: str) -> None:
    decision = decision_of(FIVE)
    with pytest.raises(OrderTextError, match="^" + words.replace("(", r"\(").replace(")", r"\)")):
        order_of_text(text, decision.factors, decision.problem)
