"""The matrices that write a solution out: values at the points of refined cells, means over refined triangles.

Points need `precise.CONTEXT` as the current decimal context.
"""

from __future__ import annotations

from fractions import Fraction

import numpy as np

from examples.ader_dg.dubiner import FACES, tetrahedron, trace, triangle
from examples.ader_dg.modal import Matrices
from examples.ader_dg.nodes import equidistant
from examples.ader_dg.polynomials import Matrix, Polynomials, affine
from examples.ader_dg.precise import decimals

DEGREES = range(9)
"""Degrees of the cells that are written."""

REFINEMENTS = range(4)
"""How often a face is split into four to write its displacement."""

_HALF = Fraction(1, 2)
_QUARTERS = (
    (affine(0, _HALF, 0), affine(0, 0, _HALF)),
    (affine(_HALF, _HALF, 0), affine(0, 0, _HALF)),
    (affine(0, _HALF, 0), affine(_HALF, 0, _HALF)),
    (affine(_HALF, -_HALF, 0), affine(_HALF, 0, -_HALF)),
)
"""The reference triangle onto each of its quarters: the three corners, then the middle."""


def collocation(order: int, degree: int) -> Matrices:
    """The basis at the equidistant points of a cell of degree `degree` (its centroid for 0).

    `collvv` (points x B3) in the tetrahedron, `collff` (points x B2) on a face for a solution on the face, and
    `collvf_j` (points x B3) on face j for a solution in the tetrahedron. Points are in the order of
    `nodes.equidistant`, which is not the order of a VTK cell.
    """
    in_volume, on_face = decimals(equidistant(3, degree)), decimals(equidistant(2, degree))
    of_faces = {f"collvf_{j}": trace(order, j).at(on_face) for j in range(len(FACES))}
    return {"collvv": tetrahedron(order).at(in_volume), "collff": triangle(order).at(on_face)} | of_faces


def sub_triangle_means(psi: Polynomials, refinement: int) -> Matrix:
    """The mean of every function over each of the 4^refinement parts of the triangle, exact, 4^refinement x B2.

    A part is numbered by its quarters, the coarsest first: quarter 3 of quarter 1 is part 1*4 + 3.
    """
    monomials = Polynomials(psi.monomials, np.eye(len(psi.monomials), dtype=int).astype(object))
    one = Polynomials.of([affine(1, 0, 0)], degree=1)
    on_quarter = [monomials.compose(*quarter).coefficients.T for quarter in _QUARTERS]
    means: Matrix = 2 * one.inner(monomials)
    for _ in range(refinement):
        means = np.concatenate([means @ restriction for restriction in on_quarter])
    result: Matrix = means @ psi.coefficients.T
    return result


def refined(order: int, degree: int) -> Matrices:
    """`collocation` for cells of degree `degree` and, for `REFINEMENTS`, `subTriangleProjectionFromFace`."""
    if degree not in REFINEMENTS:
        return collocation(order, degree)
    return collocation(order, degree) | {"subTriangleProjectionFromFace": sub_triangle_means(triangle(order), degree)}
