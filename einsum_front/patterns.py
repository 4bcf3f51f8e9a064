"""Which entries of an expression may differ from zero: exact boolean arithmetic on the patterns of its tensors."""

from collections.abc import Mapping

import numpy as np

from einsum_front.checked import (
    Access,
    Coefficient,
    Expression,
    FixedPosition,
    Number,
    Product,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
)
from einsum_front.indexed_array import Array, IndexedArray, combine, contract, view

Patterns = Mapping[str, Array]
"""The pattern of each tensor that has zeros; what is not named has none."""


def pattern(expression: Expression, patterns: Patterns) -> IndexedArray:
    """True where the expression may differ from zero, over its indices; an axis of length 1 is the same everywhere."""
    match expression:
        case Access():
            return _entries(expression, patterns)
        case ScalarTerm(value):
            return IndexedArray((), np.asarray(_may_differ(value)))
        case Scaled(coefficient, operand):
            factors = IndexedArray((), np.asarray(_may_differ(coefficient))), pattern(operand, patterns)
            return combine(np.logical_and, factors)
        case Product(factors):
            return combine(np.logical_and, (pattern(factor, patterns) for factor in factors))
        case Sum(terms):
            return combine(np.logical_or, (pattern(term, patterns) for term in terms))
        case Reduction(indices, operand):
            parts = operand.factors if isinstance(operand, Product) else (operand,)
            summed = (index.name for index in indices)
            return contract(np.logical_and, np.logical_or, [pattern(part, patterns) for part in parts], summed)


def _entries(access: Access, patterns: Patterns) -> IndexedArray:
    if access.tensor in patterns:
        return view(patterns[access.tensor], access)
    names = dict.fromkeys(p.index.name for p in access.positions if not isinstance(p, FixedPosition))
    return IndexedArray(tuple(names), np.ones((1,) * len(names), dtype=np.bool_))


def _may_differ(coefficient: Coefficient) -> bool:
    return not (isinstance(coefficient, Number) and coefficient.value == 0)
