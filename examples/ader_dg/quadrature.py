"""Gauss-Jacobi points in collapsed coordinates (Stroud's conical products): weights and points, 60 digits.

A rule is `(points, weights)`: points `(P, dimension)`, weights `(P,)`, on the unit simplex; the weights sum to its
volume. The caller's decimal context decides the digits.
"""

from __future__ import annotations

from decimal import Decimal

import numpy as np

from examples.ader_dg.dubiner import jacobi
from examples.ader_dg.polynomials import Matrix, Polynomials, affine
from examples.ader_dg.precise import decimals

Rule = tuple[Matrix, Matrix]

NEWTON_STEPS = 4
"""From the 1e-8 of the companion matrix to more digits than the context has: 8, 16, 32, 64, 128."""


def roots(polynomial: Polynomials) -> Matrix:
    """The real, simple roots of the one polynomial in one variable, in increasing order."""
    slope = polynomial.derivative(0)
    approximate = np.roots(polynomial.coefficients[0, ::-1].astype(float))
    points = np.array([[Decimal(float(x))] for x in sorted(approximate.real)], dtype=object).reshape(-1, 1)
    for _ in range(NEWTON_STEPS):
        points = points - polynomial.at(points) / slope.at(points)
    column: Matrix = points[:, 0]
    return column


def gauss_jacobi(n: int, a: int) -> Rule:
    """The n points on [0, 1] that integrate (1-x)^a f(x) exactly for polynomials f of degree 2n - 1."""
    jacobi_n = Polynomials.of([jacobi(n, a, affine(0, 1), affine(1, 0))], degree=n)
    x = roots(jacobi_n)
    slope = jacobi_n.derivative(0).at(x[:, np.newaxis])[:, 0]
    return x[:, np.newaxis], 1 / (x * (1 - x) * slope**2)


def lobatto(n: int) -> Matrix:
    """The n + 1 Gauss-Lobatto points on [0, 1]: the ends and the extrema of the Legendre polynomial of degree n."""
    legendre = Polynomials.of([jacobi(n, 0, affine(0, 1), affine(1, 0))], degree=n)
    interior = roots(legendre.derivative(0)) if n > 1 else np.empty(0, dtype=object)
    return np.concatenate([decimals(np.array([0], object)), interior, decimals(np.array([1], object))])


def stroud(dimension: int, n: int) -> Rule:
    """The n^dimension points on the triangle or tetrahedron that are exact up to degree 2n - 1.

    Point (u, v, w) of the cube goes to (u(1-v)(1-w), v(1-w), w); the last coordinate varies slowest.
    """
    points, weights = gauss_jacobi(n, 0)
    for a in range(1, dimension):
        next_points, next_weights = gauss_jacobi(n, a)
        shrunk = points[np.newaxis] * (1 - next_points[:, np.newaxis])
        last = np.broadcast_to(next_points[:, np.newaxis], (*shrunk.shape[:2], 1))
        points = np.concatenate([shrunk, last], axis=2).reshape(-1, a + 1)
        weights = np.outer(next_weights, weights).ravel()
    return points, weights
