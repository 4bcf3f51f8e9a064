"""The matrices that go between coefficients and values at points: quadrature, faces' nodes, plasticity's nodes.

All of these need `precise.CONTEXT` as the current decimal context.
"""

from __future__ import annotations

import numpy as np

from examples.ader_dg.dubiner import FACES, tetrahedron, trace, triangle
from examples.ader_dg.modal import Matrices, inverse_mass
from examples.ader_dg.nodes import warp_and_blend
from examples.ader_dg.polynomials import Matrix, Polynomials
from examples.ader_dg.precise import decimals, inverse
from examples.ader_dg.quadrature import Rule, stroud


def projection(basis: Polynomials, rule: Rule) -> Matrix:
    """M^-1 V^T W: from values at the points of a rule to the coefficients of the L2 projection, size x points."""
    points, weights = rule
    matrix: Matrix = decimals(inverse_mass(basis)) * basis.at(points).T * weights
    return matrix


def volume_quadrature(order: int) -> Matrices:
    """`evalAtQP` (NQP x B3) and `projectQP` (B3 x NQP) for the NQP = (order+1)^3 points of the conical product."""
    phi, rule = tetrahedron(order), stroud(3, order + 1)
    return {"evalAtQP": phi.at(rule[0]), "projectQP": projection(phi, rule)}


def face_nodes(order: int) -> Matrices:
    """Matrices of the B2 warp-and-blend nodes of a face.

    - `V3mTo2nFace_i` (B2 x B3): the solution at the nodes of face i;
    - `MV2nTo2m` (B2 x B2): from values at the nodes to coefficients of psi, the inverse Vandermonde matrix;
    - `project2nFaceTo3m_i` (B3 x B2): M3^-1 R_i MV2nTo2m, a flux given at the nodes, tested with phi;
    - `V2nTo2JacobiQuad` (NF x B2): from the nodes to the NF = (order+1)^2 quadrature points.
    """
    psi, points = triangle(order), warp_and_blend(2, order - 1)
    to_modal = inverse(psi.at(points))
    volume = inverse_mass(tetrahedron(order))
    result: Matrices = {"MV2nTo2m": to_modal, "V2nTo2JacobiQuad": psi.at(stroud(2, order + 1)[0]) @ to_modal}
    for i in range(len(FACES)):
        on_face = trace(order, i)
        result[f"V3mTo2nFace_{i}"] = on_face.at(points)
        result[f"project2nFaceTo3m_{i}"] = decimals(volume * on_face.inner(psi)) @ to_modal
    return result


def boundary_identity(order: int) -> Matrices:
    """`easiIdentMap` (9 x 9 x B2): the identity at every node of the face."""
    nodes = order * (order + 1) // 2
    return {"easiIdentMap": np.repeat(np.eye(9, dtype=int)[:, :, np.newaxis], nodes, axis=2).astype(object)}


def nodal(order: int) -> Matrices:
    """Every matrix above for one order."""
    return volume_quadrature(order) | face_nodes(order) | boundary_identity(order)


def plasticity(order: int, nodes: int) -> Matrices:
    """`v` (nodes x B3), values at the nodes, and `vInv` (B3 x nodes), back to coefficients.

    B3 nodes are the warp-and-blend points and `vInv` is the inverse; (order+1)^3 are the quadrature points and `vInv`
    is the L2 projection. Raises `ValueError` for another number.
    """
    phi = tetrahedron(order)
    if nodes == len(phi.coefficients):
        v = phi.at(warp_and_blend(3, order - 1))
        return {"v": v, "vInv": inverse(v)}
    if nodes == (order + 1) ** 3:
        matrices = volume_quadrature(order)
        return {"v": matrices["evalAtQP"], "vInv": matrices["projectQP"]}
    raise ValueError(f"order {order} has {len(phi.coefficients)} or {(order + 1) ** 3} plasticity nodes, not {nodes}")
