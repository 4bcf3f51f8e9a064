"""Nodal polynomials on a simplex, in barycentric coordinates."""

from dataclasses import dataclass
from functools import cache
from itertools import product
from math import factorial, prod

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Exponents = tuple[int, ...]


def exponents(degree: int, count: int) -> list[Exponents]:
    """All tuples of `count` natural numbers whose sum is `degree`, in lexicographic order."""
    return [each for each in product(range(degree + 1), repeat=count) if sum(each) == degree]


@cache
def lobatto(degree: int) -> Floats:
    """The Gauss-Lobatto points of [0, 1]: (degree + 1,)."""
    if degree == 0:
        return np.array([0.5])
    inner = np.polynomial.Legendre.basis(degree).deriv().roots().real
    points = np.concatenate([[-1.0], np.sort(inner), [1.0]])
    return np.asarray((points - points[::-1]) / 4 + 0.5)  # exactly symmetric


@cache
def node(alpha: Exponents) -> Floats:
    """The recursive interpolation node of some exponents, barycentric (Isaac 2020, "Recursive, parameter-free,
    explicitly defined interpolation nodes for simplices"): on a face, the nodes are those of the face."""
    degree = sum(alpha)
    if len(alpha) == 1:
        return np.ones(1)
    if degree == 0:
        return np.full(len(alpha), 1 / len(alpha))
    line = lobatto(degree)
    weights = [line[degree - each] for each in alpha]
    faces = [np.insert(node(alpha[:i] + alpha[i + 1 :]), i, 0) for i in range(len(alpha))]
    return np.asarray(sum(w * face for w, face in zip(weights, faces, strict=True)) / sum(weights))


def bernstein(degree: int, points: Floats, shift: int | None = None) -> Floats:
    """The Bernstein polynomials at barycentric points: (points, polynomials).

    With `shift`, their derivatives along that barycentric coordinate: degree times those of one degree less.
    """
    count = points.shape[1]
    columns = []
    for alpha in exponents(degree, count):
        lower = [each - (i == shift) for i, each in enumerate(alpha)]
        if min(lower) < 0:
            columns.append(np.zeros(len(points)))
            continue
        number = factorial(degree) // prod(factorial(each) for each in lower)
        columns.append(number * np.prod(points ** np.array(lower), axis=1))
    return np.stack(columns, axis=1)


def mass(degree: int, points: Floats) -> Floats:
    """The integrals of products of nodal polynomials over a simplex of volume 1: (nodes, nodes)."""
    count = points.shape[1]
    alphas = exponents(degree, count)

    def integral(a: Exponents, b: Exponents) -> float:
        above = (
            prod(factorial(i + j) for i, j in zip(a, b, strict=True)) * factorial(degree) ** 2 * factorial(count - 1)
        )
        return above / (prod(map(factorial, (*a, *b))) * factorial(2 * degree + count - 1))

    inverse = np.linalg.inv(bernstein(degree, points))
    return np.asarray(inverse.T @ np.array([[integral(a, b) for b in alphas] for a in alphas]) @ inverse)


@dataclass(frozen=True)
class Tetrahedron:
    """The reference element of a degree: N nodes, M of them on each face.

    - `exponents` (N, 4): the whole numbers that name a node, one for each corner
    - `nodes` (N, 4): barycentric coordinates
    - `faces` (4, M): the nodes of face f, which lies opposite of corner f
    - `mass` (N, N): integrals over an element of volume 1
    - `derive` (3, N, N): derivatives along r, s, t, where corner 0 is the origin and corners 1, 2, 3 lie on the axes
    - `lift` (4, N, M): from values on face f of area 1 to nodes of an element of volume 1
    """

    degree: int
    exponents: NDArray[np.intp]
    nodes: Floats
    faces: NDArray[np.intp]
    mass: Floats
    derive: Floats
    lift: Floats


@cache
def tetrahedron(degree: int) -> Tetrahedron:
    """The element of polynomials up to a degree, 1 at least."""
    alphas = exponents(degree, 4)
    nodes = np.stack([node(alpha) for alpha in alphas])
    faces = np.array([[i for i, alpha in enumerate(alphas) if alpha[f] == 0] for f in range(4)])
    inverse = np.linalg.inv(bernstein(degree, nodes))
    slopes = [bernstein(degree, nodes, shift) @ inverse for shift in range(4)]
    matrix = mass(degree, nodes)
    lift = np.zeros((4, len(nodes), faces.shape[1]))
    for f, chosen in enumerate(faces):
        onto = np.zeros((len(nodes), len(chosen)))
        onto[chosen] = mass(degree, np.delete(nodes[chosen], f, axis=1))
        lift[f] = np.linalg.solve(matrix, onto)
    derive = np.stack([slopes[i] - slopes[0] for i in (1, 2, 3)])
    return Tetrahedron(degree, np.array(alphas), nodes, faces, matrix, derive, lift)
