"""The matrices of the solver that need no points: mass, stiffness, face and neighbour matrices, all exact.

M3 and M2 are the (diagonal) mass matrices of the tetrahedron and of the triangle, R_i[k, m] is the integral of
phi_k(x_i) psi_m over face i, and x_i and rot_h are `dubiner.FACES` and `dubiner.ORIENTATIONS`.
"""

from __future__ import annotations

import numpy as np

from examples.ader_dg.dubiner import FACES, ORIENTATIONS, tetrahedron, trace, triangle
from examples.ader_dg.polynomials import Matrix, Polynomials

Matrices = dict[str, Matrix]
"""Matrices by name; member 2 of the family `kDivM` is `kDivM_2`."""


def inverse_mass(basis: Polynomials) -> Matrix:
    """The diagonal of the inverse mass matrix, as a column."""
    column: Matrix = (1 / np.diag(basis.inner(basis)))[:, np.newaxis]
    return column


def stiffness(order: int) -> Matrices:
    """`kDivM_d` = M3^-1 [integral of d_d phi_k phi_l] and `kDivMT_d` = M3^-1 [integral of phi_k d_d phi_l], B3 x B3."""
    phi = tetrahedron(order)
    scale = inverse_mass(phi)
    integrals = [phi.derivative(d).inner(phi) for d in range(3)]
    return {f"kDivM_{d}": scale * integrals[d] for d in range(3)} | {
        f"kDivMT_{d}": scale * integrals[d].T for d in range(3)
    }


def faces(order: int) -> Matrices:
    """`rDivM_i` = M3^-1 R_i M2^-1 (B3 x B2), `fMrT_i` = R_i^T (B2 x B3) and `rT_i` = M2^-1 R_i^T (B2 x B3)."""
    psi = triangle(order)
    volume, surface = inverse_mass(tetrahedron(order)), inverse_mass(psi)
    result: Matrices = {}
    for i in range(len(FACES)):
        r = trace(order, i).inner(psi)
        result |= {f"rDivM_{i}": volume * r * surface.T, f"fMrT_{i}": r.T, f"rT_{i}": surface * r.T}
    return result


def neighbours(order: int) -> Matrices:
    """`fP_h`[m, n] = integral of psi_m psi_n(rot_h): from the neighbour's face basis to one's own, B2 x B2."""
    psi = triangle(order)
    return {f"fP_{h}": psi.inner(psi.compose(*turn)) for h, turn in enumerate(ORIENTATIONS)}


def derivative_patterns(order: int) -> Matrices:
    """The non-zeros of `dQ_n`: the n-th time derivative is a polynomial of degree order - 1 - n, B3 x 9."""
    phi = tetrahedron(order)
    degrees = [max(sum(powers) for powers, c in zip(phi.monomials, row, strict=True) if c) for row in phi.coefficients]
    rows = np.array(degrees)[:, np.newaxis]
    return {f"dQ_{n}": np.tile((rows < order - n).astype(int), 9).astype(object) for n in range(order)}


def modal(order: int) -> Matrices:
    """Every matrix of this module, and `M3inv` (B3 x B3, diagonal)."""
    mass = {"M3inv": np.diag(inverse_mass(tetrahedron(order))[:, 0])}
    return mass | stiffness(order) | faces(order) | neighbours(order) | derivative_patterns(order)
