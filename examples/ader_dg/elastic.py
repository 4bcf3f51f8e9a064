"""What the elastic wave equation adds: the sparsity of its Jacobians, and matrices that select quantities.

The nine quantities are the stresses xx, yy, zz, xy, yz, xz (0 to 5) and the velocities x, y, z (6 to 8).
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from examples.ader_dg.modal import Matrices
from examples.ader_dg.polynomials import Matrix

VELOCITIES = (6, 7, 8)
TRACTIONS = (0, 3, 5)
"""The stresses that act on a face whose normal is the x-axis: normal, then the two tangential ones."""

STAR_ROWS = ((6, 7, 8), (6, 7, 8), (6, 7, 8), (6, 7), (7, 8), (6, 8), (0, 3, 5), (1, 3, 4), (2, 4, 5))
"""For each quantity p: the quantities q whose space derivative changes it, the rows of column p of `star`."""


def _with_ones(shape: tuple[int, ...], *places: tuple[int, ...], value: int | Fraction = 1) -> Matrix:
    matrix = np.zeros(shape, dtype=object)
    for place in places:
        matrix[place] = value
    return matrix


def star_pattern() -> Matrix:
    """The 24 entries of a transposed Jacobian, in any direction, that can be non-zero, 9 x 9."""
    return _with_ones((9, 9), *((q, p) for p, rows in enumerate(STAR_ROWS) for q in rows))


def selectors() -> Matrices:
    """Matrices whose values are known: they pick quantities or put them in their places."""
    to_velocities = _with_ones((9, 3), *((q, n) for n, q in enumerate(VELOCITIES)))
    to_tractions = _with_ones((9, 3), *((q, n) for n, q in enumerate(TRACTIONS)))
    diagonal = tuple((q,) for q in range(3))
    second_invariant = [Fraction(1, 2)] * 3 + [Fraction(1)] * 3
    return {
        "selectVelocity": to_velocities,
        "extractVelocities": to_velocities.T,
        "extractTractions": to_tractions.T,
        "mapToVelocities": to_velocities,
        "mapToTractions": to_tractions,
        "selectBulkAverage": _with_ones((6,), *diagonal, value=Fraction(1, 3)),
        "selectBulkNegative": _with_ones((6,), *diagonal, value=-1),
        "weightSecondInvariant": np.array(second_invariant, dtype=object),
        "momentToNRF": _with_ones((9, 3, 3), (0, 0, 0), (1, 1, 1), (2, 2, 2), (3, 0, 1), (4, 1, 2), (5, 0, 2)),
    }


def elastic() -> Matrices:
    """The selectors, and the patterns of matrices that differ from element to element.

    `star_d` is the Jacobian in direction d of the reference element; `tractionPlusMatrix` and `tractionMinusMatrix`
    scale the tractions on either side of a fault.
    """
    tractions = selectors()["mapToTractions"]
    stars = {f"star_{d}": star_pattern() for d in range(3)}
    return selectors() | stars | {"tractionPlusMatrix": tractions, "tractionMinusMatrix": tractions}
