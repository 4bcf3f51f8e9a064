"""The matrices of dynamic rupture: between the element and the P points of a fault face.

All of these need `precise.CONTEXT` as the current decimal context.
"""

from __future__ import annotations

import numpy as np

from examples.ader_dg.dubiner import FACES, ORIENTATIONS, tetrahedron, trace, triangle
from examples.ader_dg.dunavant import ORBITS, dunavant
from examples.ader_dg.modal import Matrices, inverse_mass
from examples.ader_dg.nodal import projection
from examples.ader_dg.precise import decimals
from examples.ader_dg.quadrature import Rule, stroud

DUNAVANT = dict(zip(range(2, 7), sorted(ORBITS), strict=True))
"""The number of Dunavant's points that integrate degree 2*order."""


def point_counts(order: int) -> tuple[int, ...]:
    """The numbers of points offered at an order: conical product, then Dunavant's (orders 2 to 6)."""
    return ((order + 1) ** 2, *([DUNAVANT[order]] if order in DUNAVANT else []))


def face_rule(order: int, points: int) -> Rule:
    """The points on a fault face; raises `ValueError` for a number that `point_counts` does not list."""
    if points not in point_counts(order):
        raise ValueError(f"order {order} has {' or '.join(map(str, point_counts(order)))} points, not {points}")
    return stroud(2, order + 1) if points == (order + 1) ** 2 else dunavant(points)


def rupture(order: int, points: int) -> Matrices:
    """Matrices for face i, seen from the element itself (h = 0) or as the neighbour of orientation h - 1 (h = 1, 2, 3).

    - `V3mTo2n_i_h` (P x B3): the solution at the points;
    - `V3mTo2nTWDivM_i_h` (B3 x P): M3^-1 V^T W, a flux given at the points, tested with phi;
    - `resample` (P x P): the L2 projection of values at the points on polynomials of degree below the order;
    - `spaceWeights` (P x 1): the quadrature weights.
    """
    rule = face_rule(order, points)
    psi, mass = triangle(order), decimals(inverse_mass(tetrahedron(order)))
    result: Matrices = {"resample": psi.at(rule[0]) @ projection(psi, rule), "spaceWeights": rule[1][:, np.newaxis]}
    for i in range(len(FACES)):
        own = trace(order, i)
        for h, side in enumerate([own, *(own.compose(*turn) for turn in ORIENTATIONS)]):
            at_points = side.at(rule[0])
            result[f"V3mTo2n_{i}_{h}"] = at_points
            result[f"V3mTo2nTWDivM_{i}_{h}"] = mass * at_points.T * rule[1]
    return result
