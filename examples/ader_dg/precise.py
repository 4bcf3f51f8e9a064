"""Decimal arithmetic for matrices whose points are irrational, and how a zero is told from rounding there.

Such entries are computed with 60 digits. For orders up to 8, what is zero by symmetry comes out below 1e-54, and every
other entry above 1e-24. An entry in between would make the decision doubtful and is refused.
"""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction

import numpy as np
import numpy.typing as npt

from examples.ader_dg.polynomials import Matrix

CONTEXT = Context(prec=60)
ROUNDING = Decimal("1e-45")
SMALLEST_ENTRY = Decimal("1e-30")


def decimal(number: Fraction) -> Decimal:
    """A fraction, rounded in the current context."""
    return Decimal(number.numerator) / Decimal(number.denominator)


def decimals(matrix: Matrix) -> Matrix:
    """A matrix of fractions or integers, rounded in the current context."""
    rounded: Matrix = np.vectorize(lambda number: decimal(Fraction(number)), otypes=[object])(matrix)
    return rounded


def floats(matrix: Matrix) -> npt.NDArray[np.float64]:
    """The entries rounded to doubles, and those that are zero up to rounding made exactly zero.

    Raises `ArithmeticError` if an inexact entry is too small for a number and too large for rounding.
    """
    rounded: npt.NDArray[np.float64] = np.vectorize(_float, otypes=[np.float64])(matrix)
    return rounded


def _float(entry: int | Fraction | Decimal) -> float:
    if not isinstance(entry, Decimal) or abs(entry) >= SMALLEST_ENTRY:
        return float(entry)
    if abs(entry) > ROUNDING:
        raise ArithmeticError(f"cannot tell whether {entry} is zero")
    return 0.0


def inverse(matrix: Matrix) -> Matrix:
    """The inverse of a square matrix of decimals, by Gauss-Jordan elimination with row pivots."""
    size = len(matrix)
    work = np.hstack([matrix, decimals(np.eye(size, dtype=int).astype(object))])
    for column in range(size):
        pivot = column + int(np.argmax(np.abs(work[column:, column])))
        work[[column, pivot]] = work[[pivot, column]]
        work[column] /= work[column, column]
        others = np.arange(size) != column
        work[others] -= work[others, column, np.newaxis] * work[column]
    result: Matrix = work[:, size:]
    return result
