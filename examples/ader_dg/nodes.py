"""Interpolation points: equidistant ones, and those of Warburton's warp and blend.

T. Warburton, An explicit construction of interpolation nodes on the simplex, J. Eng. Math. 56 (2006). Everything is
written in barycentric coordinates, where moving along the edge from vertex a to b adds to b what it takes from a.
"""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from itertools import combinations, product, repeat
from math import prod

import numpy as np

from examples.ader_dg.polynomials import Matrix
from examples.ader_dg.precise import decimal, decimals
from examples.ader_dg.quadrature import lobatto

Barycentric = list[Decimal]
"""The weights of the vertices: the origin first, then the unit points in the order of the coordinates."""

BLEND_TRIANGLE = ("0", "0", "1.4152", "0.1001", "0.2751", "0.98", "1.0999")
BLEND_TETRAHEDRON = ("0", "0", "0", "0.1002", "1.1332", "1.5608", "1.3413")
"""Warburton's blending parameters for degrees 1 to 7; they nearly minimise the Lebesgue constant."""


def equidistant(dimension: int, degree: int) -> Matrix:
    """The points with coordinates m/degree, as fractions, the first coordinate fastest; the centroid for degree 0."""
    if degree == 0:
        return np.array([[Fraction(1, dimension + 1)] * dimension], dtype=object)
    lattice = (steps[::-1] for steps in product(range(degree + 1), repeat=dimension) if sum(steps) <= degree)
    return np.array([[Fraction(step, degree) for step in steps] for steps in lattice], dtype=object)


def warp_and_blend(dimension: int, degree: int) -> Matrix:
    """As many points as polynomials of degree `degree` need, in the order of `equidistant`.

    On each edge they are the Gauss-Lobatto points, so neighbouring elements share the points of a common face.
    """
    warp = _Warp(degree, dimension)
    lattice = equidistant(dimension, degree)
    barycentric = decimals(np.column_stack([1 - lattice.sum(axis=1), lattice]))
    return np.array([warp.moved(point)[1:] for point in barycentric.tolist()], dtype=object)


class _Warp:
    """Moves equidistant points of one degree to their places."""

    def __init__(self, degree: int, dimension: int) -> None:
        table = BLEND_TRIANGLE if dimension == 2 else BLEND_TETRAHEDRON
        self.blend = Decimal(table[degree - 1])
        self.equidistant = [decimal(Fraction(2 * i - degree, degree)) for i in range(1, degree)]
        self.lobatto = [2 * x - 1 for x in lobatto(degree)[1:-1]]

    def moved(self, point: Barycentric) -> Barycentric:
        """One point, at its place."""
        faces = [[v for v in range(len(point)) if v != opposite] for opposite in range(len(point))]
        if len(point) == 3:
            return self._sum(point, [(Decimal(1), [0, 1, 2])])
        on_boundary = [face for opposite, face in enumerate(faces) if not point[opposite]]
        if on_boundary:
            return self._sum(point, [(Decimal(1), on_boundary[0])])
        return self._sum(point, [(self._fade(point, opposite, face), face) for opposite, face in enumerate(faces)])

    def _sum(self, point: Barycentric, faces: list[tuple[Decimal, list[int]]]) -> Barycentric:
        result = list(point)
        for factor, face in faces:
            for a, b in combinations(face, 2):
                (across,) = (v for v in face if v not in (a, b))
                step = 2 * factor * self._edge(point[a], point[b]) * (1 + (self.blend * point[across]) ** 2)
                result[b] += step
                result[a] -= step
        return result

    def _fade(self, point: Barycentric, opposite: int, face: list[int]) -> Decimal:
        """How much of a face's warp remains inside: 1 on the face, 0 on the other three."""
        away = point[opposite]
        ratio = prod((point[v] / (point[v] + away / 2) for v in face), start=Decimal(1))
        return (1 + (self.blend * away) ** 2) * ratio

    def _edge(self, a: Decimal, b: Decimal) -> Decimal:
        """The way from the equidistant to the Gauss-Lobatto points of an edge, interpolated, times ab/(1-d^2)."""
        return a * b * sum(map(self._quotient, range(len(self.equidistant)), repeat(b - a)), start=Decimal(0))

    def _quotient(self, i: int, d: Decimal) -> Decimal:
        """The i-th Lagrange polynomial at d in [-1, 1], times how far its point moves, over 1 - d^2."""
        here, others = self.equidistant[i], self.equidistant[:i] + self.equidistant[i + 1 :]
        move: Decimal = self.lobatto[i] - here
        return move * prod(((d - other) / (here - other) for other in others), start=1 / (1 - here**2))
