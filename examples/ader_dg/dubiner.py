"""The Dubiner basis on the reference tetrahedron and triangle, and the maps between tetrahedron, faces and neighbours.

With J_n^a(u, v) = v^n P_n^(a,0)(2u/v - 1), a polynomial in u and v with integer coefficients,

    phi_ijk(x, y, z) = J_i^0(x, 1-y-z) * J_j^(2i+1)(y, 1-z) * J_k^(2i+2j+2)(z, 1)       tetrahedron
    psi_ij (x, y)    = J_i^0(x, 1-y)   * J_j^(2i+1)(y, 1)                               triangle

which are the usual products of Jacobi polynomials in collapsed coordinates, written without a division.
"""

from __future__ import annotations

from functools import cache
from math import comb

from examples.ader_dg.polynomials import Polynomials, Terms, add, affine, constant_like, multiply

Orientation = tuple[Terms, Terms]

FACES: tuple[tuple[Terms, Terms, Terms], ...] = (
    (affine(0, 0, 1), affine(0, 1, 0), affine(0, 0, 0)),
    (affine(0, 1, 0), affine(0, 0, 0), affine(0, 0, 1)),
    (affine(0, 0, 0), affine(0, 0, 1), affine(0, 1, 0)),
    (affine(1, -1, -1), affine(0, 1, 0), affine(0, 0, 1)),
)
"""The point (x, y, z) of face `i` that belongs to the face coordinates (chi, tau)."""

ORIENTATIONS: tuple[Orientation, ...] = (
    (affine(0, 0, 1), affine(0, 1, 0)),
    (affine(1, -1, -1), affine(0, 0, 1)),
    (affine(0, 1, 0), affine(1, -1, -1)),
)
"""How the neighbour sees the face coordinates (chi, tau): it looks from the other side, turned by `h` vertices."""


def jacobi(n: int, a: int, u: Terms, v: Terms) -> Terms:
    """The homogeneous Jacobi polynomial J_n^a(u, v) = v^n P_n^(a,0)(2u/v - 1).

    P_n^(a,0)(2u - 1) is the sum over k of (-1)^(n-k) C(n, k) C(n+a+k, k) u^k (DLMF 18.5.7).
    """
    coefficients = [(-1) ** (n - k) * comb(n, k) * comb(n + a + k, k) for k in range(n + 1)]
    return add(*(multiply(constant_like(u, c), *k * [u], *(n - k) * [v]) for k, c in enumerate(coefficients)))


@cache
def tetrahedron(order: int) -> Polynomials:
    """The B3 = order(order+1)(order+2)/6 functions of degree below `order`.

    Numbered by degree n, then k, then j: phi_(n-j-k, j, k). So the first B3(m) of them span the degrees below m.
    """
    x, y, z, one = affine(0, 1, 0, 0), affine(0, 0, 1, 0), affine(0, 0, 0, 1), affine(1, 0, 0, 0)
    triples = [(n - j - k, j, k) for n in range(order) for k in range(n + 1) for j in range(n - k + 1)]
    functions = [
        multiply(
            jacobi(i, 0, x, affine(1, 0, -1, -1)),
            jacobi(j, 2 * i + 1, y, affine(1, 0, 0, -1)),
            jacobi(k, 2 * i + 2 * j + 2, z, one),
        )
        for i, j, k in triples
    ]
    return Polynomials.of(functions, degree=order - 1)


@cache
def triangle(order: int) -> Polynomials:
    """The B2 = order(order+1)/2 functions of degree below `order`, numbered by degree n, then j: psi_(n-j, j)."""
    x, y, one = affine(0, 1, 0), affine(0, 0, 1), affine(1, 0, 0)
    pairs = [(n - j, j) for n in range(order) for j in range(n + 1)]
    functions = [multiply(jacobi(i, 0, x, affine(1, 0, -1)), jacobi(j, 2 * i + 1, y, one)) for i, j in pairs]
    return Polynomials.of(functions, degree=order - 1)


@cache
def trace(order: int, face: int) -> Polynomials:
    """The functions of the tetrahedron on face `face`, as polynomials in the face coordinates."""
    return tetrahedron(order).compose(*FACES[face])
