"""Operators of symmetric elements as sums and differences, smaller operators, and sums and differences again.

The points of an element are the same set after a reflection, so an operator is the same matrix with its rows and
columns in another order, some with the other sign. If that order is its own inverse, sums and differences of the
columns that change places are multiplied by a matrix each, of half the rows and half the columns:

    K = left · | even  0  | · right        2100 non-zeros of a tetrahedron of order 4 become 1124, then 696
               |  0   odd |

Orders are found as those of graphs are: rows and columns have colours, that of a column says which entries it has in
rows of which colours, and so on; where columns have the same colour, one is tried after the other.
"""

from collections.abc import Iterator
from functools import reduce
from typing import Any

import numpy as np

Array = np.ndarray
Pair = tuple[int, int | None, float]
"""A row or column, the one that it changes places with, and the sign."""

ALIKE = 2.0**-40
"""Of the largest entry: magnitudes that differ by less are one."""

ERROR = 64 * float(np.finfo(np.float64).eps)
"""The largest difference between the product and the matrix, of its largest entry."""

MOST_TRIED = 100
"""Orders that are tried."""

WORTH = 0.8
"""The non-zeros of the factors, of those of the matrix: more are not worth the loads and stores between them."""


def factors(matrix: Array, depth: int) -> list[Array]:
    """Matrices whose product is the matrix but for rounding, with the sums and differences of `depth` reflections.

    One only, if there are no reflections that are worth it.
    """
    found = _factors(_equal_magnitudes(matrix), depth)
    found = [each for each in found if each.shape != (len(each),) * 2 or (each != np.eye(len(each))).any()]
    product = reduce(np.matmul, found, np.eye(len(matrix)))
    is_exact = (abs(product - matrix) <= ERROR * abs(matrix).max(initial=0)).all()
    return found if found and is_exact else [matrix]


def _factors(matrix: Array, depth: int) -> list[Array]:
    split = _split(matrix) if depth and matrix.size else None
    if split is None:
        rows, columns = map(np.eye, matrix.shape)
        return [*[rows] * depth, matrix, *[columns] * depth]
    left, halves, right = split
    inner = [_factors(each, depth - 1) for each in halves]
    return [left, *(_diagonal(*each) for each in zip(*inner, strict=True)), right]


def _split(matrix: Array) -> tuple[Array, tuple[Array, Array], Array] | None:
    """The best reflection: sums and differences of the results, both matrices, those of what is given."""
    best, least = None, WORTH * int(np.count_nonzero(matrix))
    for rows, columns in _reflections(matrix):
        signs = _signs(matrix, rows, columns)
        if signs is None:
            continue
        (even, odd), (even_columns, odd_columns) = _pairs(rows, signs[0]), _pairs(columns, signs[1])
        halves = _half(matrix, even, even_columns), _half(matrix, odd, odd_columns)
        joined = sum(each[1] is not None for part in (even, odd, even_columns, odd_columns) for each in part)
        entries = sum(int(np.count_nonzero(each)) for each in halves) + joined
        if entries < least:
            right = _sums([*even_columns, *odd_columns], matrix.shape[1])
            best, least = (_sums([*even, *odd], len(matrix)).T, halves, right), entries
    return best


# -- reflections -------------------------------------------------------------------------------------------------------


def _equal_magnitudes(matrix: Array) -> Array:
    """The matrix where magnitudes that differ by roundings are one, their mean."""
    kinds = _kinds(matrix).ravel()
    mean = np.bincount(kinds, weights=abs(matrix).ravel()) / np.maximum(np.bincount(kinds), 1)
    return np.asarray(np.sign(matrix) * mean[kinds].reshape(matrix.shape))


def _kinds(matrix: Array) -> Array:
    """A number for each magnitude."""
    sizes = abs(matrix).ravel()
    order = np.argsort(sizes, kind="stable")
    found = np.empty(sizes.size, np.int64)
    found[order] = np.cumsum(np.diff(sizes[order], prepend=0) > ALIKE * sizes.max(initial=0))
    return found.reshape(matrix.shape)


def _reflections(matrix: Array) -> Iterator[tuple[Array, Array]]:
    """Orders of rows and columns, their own inverses, in which all magnitudes stay."""
    kinds = _kinds(matrix)
    left = [MOST_TRIED]

    def tried(before: tuple[Array, Array], after: tuple[Array, Array], depth: int) -> Iterator[tuple[Array, Array]]:
        left[0] -= 1
        one, other = _refined(kinds, *before), _refined(kinds, *after)
        if left[0] < 0 or any((np.sort(a) != np.sort(b)).any() for a, b in zip(one, other, strict=True)):
            return
        _, where, counts = np.unique(one[1], return_inverse=True, return_counts=True)
        alike = np.flatnonzero(counts[where] > 1)
        if not alike.size:
            if any(len(np.unique(colours)) < len(colours) for colours in one):
                return
            rows, columns = _order(one[0], other[0]), _order(one[1], other[1])
            are_own = all((each[each] == np.arange(len(each))).all() for each in (rows, columns))
            if are_own and (kinds[np.ix_(rows, columns)] == kinds).all():
                yield rows, columns
            return
        column = min(alike, key=lambda each: (counts[where[each]], each))
        for image in np.flatnonzero(other[1] == one[1][column]):
            first, second = one[1].copy(), other[1].copy()
            first[column] = second[image] = 2 * depth + 1
            if image != column:
                first[image] = second[column] = 2 * depth + 2
            yield from tried((one[0], first), (other[0], second), depth + 1)

    start = np.zeros(len(matrix), np.uint64), np.zeros(matrix.shape[1], np.uint64)
    yield from tried(start, start, 0)


def _refined(kinds: Array, rows: Array, columns: Array) -> tuple[Array, Array]:
    """Colours that tell rows and columns apart as far as those of their entries do."""
    entries, known = _mixed(kinds.astype(np.uint64)), 0
    while (count := len(np.unique(rows)) + len(np.unique(columns))) > known:
        known = count
        columns = _mixed(columns + _mixed(entries + _mixed(rows)[:, None]).sum(axis=0, dtype=np.uint64))
        rows = _mixed(rows + _mixed(entries + _mixed(columns)).sum(axis=1, dtype=np.uint64))
    return rows, columns


def _mixed(numbers: Array) -> Array:
    """Numbers of 64 bits that look random (splitmix64), so that sums of them tell sets apart."""
    shifts = np.uint64(30), np.uint64(27), np.uint64(31)
    numbers = numbers + np.uint64(0x9E3779B97F4A7C15)
    numbers = (numbers ^ (numbers >> shifts[0])) * np.uint64(0xBF58476D1CE4E5B9)
    numbers = (numbers ^ (numbers >> shifts[1])) * np.uint64(0x94D049BB133111EB)
    return np.asarray(numbers ^ (numbers >> shifts[2]))


def _order(before: Array, after: Array) -> Array:
    """Where the colours went."""
    found = np.empty(len(before), np.int64)
    found[np.argsort(before, kind="stable")] = np.argsort(after, kind="stable")
    return found


def _signs(matrix: Array, rows: Array, columns: Array) -> tuple[Array, Array] | None:
    """Signs of rows and columns with which the matrix in this order is itself; None if there are none."""
    signs = np.sign(matrix) * np.sign(matrix[np.ix_(rows, columns)])
    of_rows, of_columns = (np.zeros(size) for size in matrix.shape)
    for start in range(matrix.shape[1]):
        if of_columns[start]:
            continue
        of_columns[start] = of_columns[columns[start]] or 1
        front: list[Any] = [start]
        while front:
            new = [row for row in np.flatnonzero(signs[:, front].any(axis=1)) if not of_rows[row]]
            for row in new:
                column = next(each for each in front if signs[row, each])
                of_rows[row] = signs[row, column] * of_columns[column]
            front = [each for each in np.flatnonzero(signs[new].any(axis=0)) if not of_columns[each]]
            for column in front:
                row = next(each for each in new if signs[each, column])
                of_columns[column] = signs[row, column] * of_rows[row]
    of_rows[of_rows == 0] = 1
    is_right = ((signs == 0) | (signs == np.outer(of_rows, of_columns))).all()
    are_own = (of_rows == of_rows[rows]).all() and (of_columns == of_columns[columns]).all()
    return (of_rows, of_columns) if is_right and are_own else None


# -- sums and differences ----------------------------------------------------------------------------------------------


def _pairs(order: Array, signs: Array) -> tuple[list[Pair], list[Pair]]:
    """What is added, and what is subtracted; one that stays where it is has one of both."""
    even: list[Pair] = []
    odd: list[Pair] = []
    for one, other in enumerate(order):
        if one == other:
            (even if signs[one] > 0 else odd).append((one, None, 1.0))
        elif one < other:
            even.append((one, int(other), float(signs[one])))
            odd.append((one, int(other), -float(signs[one])))
    return even, odd


def _half(matrix: Array, rows: list[Pair], columns: list[Pair]) -> Array:
    """The matrix between sums, or between differences."""
    found = np.zeros((len(rows), len(columns)))
    for place, (row, _, _) in enumerate(rows):
        for at, (one, other, sign) in enumerate(columns):
            entry = matrix[row, one]
            found[place, at] = entry if other is None else (entry + sign * matrix[row, other]) / 2
    return np.where(abs(found) < ALIKE * abs(matrix).max(), 0, found)


def _sums(pairs: list[Pair], size: int) -> Array:
    found = np.zeros((len(pairs), size))
    for place, (one, other, sign) in enumerate(pairs):
        found[place, one] = 1
        if other is not None:
            found[place, other] = sign
    return found


def _diagonal(first: Array, second: Array) -> Array:
    found = np.zeros(np.add(first.shape, second.shape))
    found[: len(first), : first.shape[1]] = first
    found[len(first) :, first.shape[1] :] = second
    return found
