"""Matrices as products of two sparser ones, found by Gaussian elimination.

    M = left · right        left: (rows, rank), right: (rank, columns)

Each step takes away a column times a row of what is left of the matrix, until nothing is left. Which entry is the pivot
is free, and where rows or columns depend on each other, much of the rest may cancel: the pivot is the one after which
the fewest non-zeros stand in the column, the row and the rest. Bases of polynomials that are products in other
coordinates have many such dependences. On a face of a tetrahedron, for one, some polynomials of an element that are
different are the same.

Rounding is the other half. Rows and columns are scaled by powers of two before, so that all are alike; a pivot is not
much smaller than the largest entry of its row and its column; an entry that cancels but for `CANCELLED` is zero; and
what was found is multiplied again, and taken only if it is the matrix up to some units in the last place of the largest
entries of each row and each column.
"""

from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass

Array = NDArray[Any]

CANCELLED = 2.0**-36
"""Of the largest entry: what is below is what rounding has left of a difference that is zero."""

PIVOTS = (1 / 8, 1 / 4, 1 / 2, 0.9)
"""The least share that a pivot has of the largest entries of its row and its column. With less there is more choice,
with more the product is more accurate: the first is taken with which it is accurate enough."""

GROWTH = 16
"""How much larger the terms of the product may be than those that the entries of the matrix are sums of."""

ERROR = 32 * float(np.finfo(np.float64).eps)
"""The largest difference between the product and the matrix, for terms of size 1."""

SCALINGS = 8
"""Rounds in which rows and columns are scaled."""

WORK = 1 << 21
"""Entries that one comparison of pivots may compute; of more pivots those in short rows and columns are compared."""


@dataclass(frozen=True, slots=True)
class Factors:
    """A matrix as a product of two, and their entries that are not zero."""

    left: Array
    right: Array

    @property
    def entries(self) -> int:
        """Entries of both that are not zero."""
        return int(np.count_nonzero(self.left) + np.count_nonzero(self.right))

    @property
    def rank(self) -> int:
        """Columns of the one, rows of the other."""
        return len(self.right)


def sparse_factors(matrix: Array, terms: Array) -> Factors | None:
    """Two sparse matrices whose product is the matrix; None if none were found that are accurate.

    `terms` are the sums of the absolute values that the entries are sums of; of a matrix as it was given, its absolute
    values. The product is as accurate as those sums, and its terms are at most `GROWTH` times as large.
    """
    arguments = (np.ascontiguousarray(each, np.float64) for each in (matrix, terms))
    return _remembered(matrix.shape, *(each.tobytes() for each in arguments))


@lru_cache(maxsize=256)
def _remembered(shape: tuple[int, int], matrix: bytes, terms: bytes) -> Factors | None:
    """Kernels of a family have most of their matrices in common."""
    return _found(*(np.frombuffer(each).reshape(shape) for each in (matrix, terms)))


def _found(matrix: Array, terms: Array) -> Factors | None:
    if not matrix.any() or not np.isfinite(terms).all():
        return None
    rows, columns = _scales(terms)
    scaled, sizes = matrix * rows * columns, terms * rows * columns
    largest = np.minimum(sizes.max(axis=1, keepdims=True), sizes.max(axis=0, keepdims=True))
    for share in PIVOTS:
        left, right = _eliminated(scaled, share)
        is_exact = (np.abs(left @ right - scaled) <= ERROR * largest).all()
        if left.size and is_exact and (np.abs(left) @ np.abs(right) <= GROWTH * largest).all():
            return Factors(left / rows, right / columns)
    return None


def _scales(terms: Array) -> tuple[Array, Array]:
    """Powers of two, a column and a row, by which entries are about one, as far as can be.

    Their logarithms are the least squares that make those of the entries that are not zero zero, found row by row and
    column by column in turn (Curtis and Reid, J. Inst. Maths Applics 10, 1972).
    """
    is_nonzero = terms > 0
    sizes = np.log2(terms, out=np.zeros_like(terms), where=is_nonzero)
    rows, columns = np.zeros((terms.shape[0], 1)), np.zeros((1, terms.shape[1]))
    in_rows, in_columns = (np.maximum(is_nonzero.sum(axis=axis, keepdims=True), 1) for axis in (1, 0))
    for _ in range(SCALINGS):
        rows = ((sizes + columns) * is_nonzero).sum(axis=1, keepdims=True) / -in_rows
        columns = ((sizes + rows) * is_nonzero).sum(axis=0, keepdims=True) / -in_columns
    columns -= (sizes + rows + columns).max(where=is_nonzero, initial=-np.inf)
    return np.exp2(np.round(rows)), np.exp2(np.round(columns))


def _eliminated(matrix: Array, share: float) -> tuple[Array, Array]:
    """The factors, however accurate they are; pivots have this share of the largest entries of their row and column."""
    left, right = [], []
    rest, rows, columns = _nonzero(matrix, *map(np.arange, matrix.shape))
    while rest.size:
        row, column = _pivot(rest, share)
        multiples = rest[:, column] / rest[row, column]
        left.append(_placed(multiples, rows, matrix.shape[0]))
        right.append(_placed(rest[row], columns, matrix.shape[1]))
        rest = rest - multiples[:, None] * rest[row]
        rest[row], rest[:, column] = 0, 0
        rest, rows, columns = _nonzero(rest, rows, columns)
    return np.reshape(left, (-1, matrix.shape[0])).T, np.reshape(right, (-1, matrix.shape[1]))


def _placed(entries: Array, places: Array, size: int) -> Array:
    """A vector with the entries at these places, zero elsewhere."""
    vector = np.zeros(size)
    vector[places] = entries
    return vector


def _nonzero(rest: Array, rows: Array, columns: Array) -> tuple[Array, Array, Array]:
    """Rest without what has cancelled, and without rows and columns that are zero."""
    rest = np.where(np.abs(rest) > CANCELLED, rest, 0)
    in_rows, in_columns = rest.any(axis=1), rest.any(axis=0)
    return rest[in_rows][:, in_columns], rows[in_rows], columns[in_columns]


def _pivot(rest: Array, share: float) -> tuple[int, int]:
    """The pivot after which the fewest non-zeros stand in its column, its row and the rest; the largest of equals."""
    sizes = np.abs(rest)
    largest = np.maximum(sizes.max(axis=1, keepdims=True), sizes.max(axis=0, keepdims=True))
    in_row, in_column = (np.count_nonzero(rest, axis=axis) for axis in (1, 0))
    pivots = np.argwhere(sizes >= share * largest)
    filled = (in_row[pivots[:, 0]] - 1) * (in_column[pivots[:, 1]] - 1)
    pivots = pivots[np.sort(np.argsort(filled, kind="stable")[: max(1, WORK // rest.size)])]
    left = np.concatenate([_left_of(rest, row, pivots[pivots[:, 0] == row, 1]) for row in np.unique(pivots[:, 0])])
    counts = in_row[pivots[:, 0]] + in_column[pivots[:, 1]] + left
    row, column = pivots[np.lexsort((-sizes[tuple(pivots.T)], counts))[0]]
    return int(row), int(column)


def _left_of(rest: Array, row: int, columns: Array) -> Array:
    """How many non-zeros are left without each of the pivots in a row."""
    multiples = (rest[:, columns] / rest[row, columns]).T
    after = rest - multiples[:, :, np.newaxis] * rest[row]
    return np.asarray(np.count_nonzero(np.abs(after) > CANCELLED, axis=(1, 2)))
