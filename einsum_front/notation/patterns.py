"""Which entries of an expression may differ from zero: exact boolean arithmetic on the patterns of its tensors."""

from collections.abc import Iterable, Mapping
from math import prod

import numpy as np

from einsum_front.core.coefficient import Coefficient, Number
from einsum_front.core.functions import Function
from einsum_front.core.functions import pattern as function_pattern
from einsum_front.core.limits import LARGEST_FOLLOWED
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.notation.checked import (
    Access,
    Apply,
    Expression,
    Extremum,
    FixedPosition,
    Product,
    Quotient,
    Reduction,
    ScalarTerm,
    Scaled,
    Sum,
)
from einsum_front.notation.indexed_array import Array, IndexedArray, add_up, combine, contract, entries, view

LARGEST_PRODUCT = 2**16
"""Entries of a product that is made before it is summed."""


class TooManyError(Exception):
    """A pattern with more entries than are followed."""

    def __init__(self, entries: int) -> None:
        super().__init__(entries)
        self.entries = entries


Patterns = Mapping[str, Array]
"""The pattern of each tensor that has zeros; what is not named has none."""


def pattern(expression: Expression, patterns: Patterns) -> IndexedArray:
    """True where the expression may differ from zero, over its indices; an axis of length 1 is the same everywhere.

    Raises `TooManyError` where a pattern on the way is too large.
    """
    match expression:
        case Access():
            return _entries(expression, patterns)
        case ScalarTerm(value):
            return IndexedArray((), np.asarray(_may_differ(value)))
        case Scaled(coefficient, operand):
            factors = IndexedArray((), np.asarray(_may_differ(coefficient))), pattern(operand, patterns)
            return combine(np.logical_and, factors)
        case Product(factors):
            return _combined(np.logical_and, (pattern(factor, patterns) for factor in factors))
        case Sum(terms):
            return _combined(np.logical_or, (pattern(term, patterns) for term in terms))
        case Apply(function, arguments):
            return _of_function(function, [pattern(argument, patterns) for argument in arguments])
        case Quotient(dividend, divisor):
            return _of_function(Function.DIV, [pattern(dividend, patterns), pattern(divisor, patterns)])
        case Extremum(_, indices, operand):
            return add_up(np.logical_or, pattern(operand, patterns), frozenset(index.name for index in indices))
        case Reduction(indices, operand):
            parts = operand.factors if isinstance(operand, Product) else (operand,)
            summed = (index.name for index in indices)
            return contract(_join, np.logical_or, [pattern(part, patterns) for part in parts], summed)


def _of_function(function: Function, operands: list[IndexedArray]) -> IndexedArray:
    reject_too_large(entries(*operands))
    names = tuple(dict.fromkeys(name for operand in operands for name in operand.names))
    masks = np.broadcast_arrays(*(operand.spread(names) for operand in operands))
    return IndexedArray(names, function_pattern(function, masks))


def _combined(ufunc: np.ufunc, operands: Iterable[IndexedArray]) -> IndexedArray:
    arrays = list(operands)
    reject_too_large(entries(*arrays))
    return combine(ufunc, arrays)


def _join(left: IndexedArray, right: IndexedArray, summed: frozenset[str]) -> IndexedArray:
    """True where there is a position of the summed names at which both are."""
    if entries(left, right) <= LARGEST_PRODUCT:
        return add_up(np.logical_or, combine(np.logical_and, (left, right)), summed)
    names = tuple(dict.fromkeys((*left.names, *right.names)))
    kept = tuple(name for name in names if name not in summed)
    lengths = {n: length for array in (left, right) for n, length in array.lengths if length > 1}
    reject_too_large(prod(lengths.get(name, 1) for name in kept))
    maps = [[names.index(name) for name in each] for each in (left.names, right.names, kept)]
    # as a product of matrices: it counts the positions, and takes no memory for the product before it is summed
    counts = numpy_einsum(left.data.astype("f"), maps[0], right.data.astype("f"), maps[1], maps[2], optimize=True)
    return IndexedArray(kept, np.asarray(counts != 0))


def reject_too_large(size: int) -> None:
    """Raises `TooManyError` for a pattern of so many entries if they are too many to be followed."""
    if size > LARGEST_FOLLOWED:
        raise TooManyError(size)


def _entries(access: Access, patterns: Patterns) -> IndexedArray:
    if access.tensor in patterns:
        return view(patterns[access.tensor], access)
    names = dict.fromkeys(p.index.name for p in access.positions if not isinstance(p, FixedPosition))
    return IndexedArray(tuple(names), np.ones((1,) * len(names), dtype=np.bool_))


def _may_differ(coefficient: Coefficient) -> bool:
    return not (isinstance(coefficient, Number) and coefficient.value == 0)
