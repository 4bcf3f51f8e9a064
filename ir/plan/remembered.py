"""Orders of problems that were asked for before: passes compare plans that have most contractions in common."""

from functools import lru_cache

import numpy as np

from einsum_front.ir.plan.order import Ranking, best_orders
from einsum_front.ir.plan.problem import Problem

MOST_ENTRIES = 2**16
"""Entries in the patterns of factors up to which a problem is kept with its orders."""


def remembered_orders(problem: Problem, largest: float) -> Ranking:
    """`best_orders`, searched once for problems with the same contents; those with open sizes are always searched."""
    if problem.restored or sum(factor.mask.size for factor in problem.factors) > MOST_ENTRIES:
        return best_orders(problem, largest=largest)
    return _orders(_Question(problem), largest)


class _Question:
    """A problem whose sizes are all known; it equals those with the same contents."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        parts = (*problem.factors, problem.result)
        patterns = tuple((each.indices, each.mask.shape, np.packbits(each.mask).tobytes()) for each in parts)
        self._contents = patterns, tuple(problem.extents.items()), problem.once

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Question) and self._contents == other._contents

    def __hash__(self) -> int:
        return hash(self._contents)


@lru_cache(maxsize=128)
def _orders(question: _Question, largest: float) -> Ranking:
    return best_orders(question.problem, largest=largest)
