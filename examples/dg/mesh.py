"""Tetrahedra that fill the unit cube, numbered and turned at random."""

from dataclasses import dataclass
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from examples.dg.reference import Floats, Tetrahedron

Integers = NDArray[np.intp]


@dataclass(frozen=True)
class Mesh:
    """`points` (points, 3) and `corners` (elements, 4); `neighbours` (elements, 4) across the face opposite of each
    corner, and the number of that face there (`sides`); -1 at walls."""

    points: Floats
    corners: Integers
    neighbours: Integers
    sides: Integers

    @property
    def centres(self) -> Floats:
        """(elements, 3)"""
        return np.asarray(self.points[self.corners].mean(axis=1))


def cube(cells: int, seed: int = 0, distortion: float = 0.15) -> Mesh:
    """6 cells³ tetrahedra: points inside are moved by up to `distortion` cells; the order of points, of elements and of
    the corners of each element is random, so that faces meet in all ways, and elements are left- and right-handed."""
    random = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(*[np.arange(cells + 1)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    moves = random.uniform(-distortion, distortion, grid.shape)
    points = np.where((grid == 0) | (grid == cells), grid, grid + moves) / cells
    strides = np.array([(cells + 1) ** 2, cells + 1, 1])
    first = (grid[(grid < cells).all(axis=1)] @ strides)[:, None]
    paths = [np.cumsum([0, *strides[list(order)]]) for order in permutations(range(3))]
    corners = np.concatenate([first + path for path in paths])
    names = random.permutation(len(points))
    corners = random.permuted(names[corners][random.permutation(len(corners))], axis=1)
    return connect(points[np.argsort(names)], corners)


def connect(points: Floats, corners: Integers) -> Mesh:
    """The mesh of some tetrahedra: faces with the same three points are neighbours."""
    elements = len(corners)
    faces = np.sort(np.stack([np.delete(corners, f, axis=1) for f in range(4)], axis=1).reshape(-1, 3), axis=1)
    order = np.lexsort(faces.T)
    same = (faces[order[1:]] == faces[order[:-1]]).all(axis=1)
    left, right = order[:-1][same], order[1:][same]
    across = np.full(4 * elements, -1, np.intp)
    across[left], across[right] = right, left
    other = across.reshape(elements, 4)
    return Mesh(points, corners, np.where(other < 0, -1, other // 4), np.where(other < 0, -1, other % 4))


def facing_rows(mesh: Mesh, reference: Tetrahedron) -> Integers:
    """(elements, 4, M): for each node of each face, the same place in the neighbour, as element · N + node. At walls it
    is the node itself."""
    count, nodes = len(mesh.corners), len(reference.nodes)
    others = np.array([[c for c in range(4) if c != f] for f in range(4)])
    turn = np.argsort(mesh.corners[:, others], axis=-1)  # the corners of each face by their number
    weights = np.stack([reference.exponents[chosen][:, others[f]] for f, chosen in enumerate(reference.faces)])
    seen = np.take_along_axis(np.broadcast_to(weights, (count, *weights.shape)), turn[:, :, None, :], axis=-1)
    order = np.argsort(seen[..., 0] * (reference.degree + 1) + seen[..., 1], axis=-1)  # as both sides see the face
    place = np.argsort(order, axis=-1)
    rows = np.arange(count)[:, None, None] * nodes + reference.faces
    ordered = np.take_along_axis(rows, order, axis=-1)
    facing = np.take_along_axis(ordered[mesh.neighbours, mesh.sides], place, axis=-1)
    return np.asarray(np.where(mesh.neighbours[..., None] < 0, rows, facing))


@dataclass(frozen=True)
class Geometry:
    """What affine elements need: `slopes` (elements, 3, 3), derivative of the d-th reference coordinate along x, y, z;
    `volumes` (elements,), `normals` (elements, 4, 3) outwards, of length 1, `areas` (elements, 4)."""

    slopes: Floats
    volumes: Floats
    normals: Floats
    areas: Floats

    @property
    def radii(self) -> Floats:
        """Of the spheres inside: (elements,)."""
        return np.asarray(3 * self.volumes / self.areas.sum(axis=1))


def geometry(mesh: Mesh) -> Geometry:
    """Volumes, normals and derivatives."""
    corners = mesh.points[mesh.corners]
    edges = corners[:, 1:] - corners[:, :1]  # rows: dx/dr, dx/ds, dx/dt
    slopes = np.asarray(np.linalg.inv(edges).transpose(0, 2, 1), np.float64)
    inwards = np.concatenate(
        [-slopes.sum(axis=1, keepdims=True), slopes], axis=1
    )  # gradients of barycentric coordinates
    volumes = np.asarray(abs(np.linalg.det(edges)) / 6, np.float64)
    lengths = np.sqrt((inwards**2).sum(axis=2))
    return Geometry(slopes, volumes, -inwards / lengths[..., None], 3 * volumes[:, None] * lengths)


@dataclass(frozen=True)
class Part:
    """The elements of one rank: `elements` (n,) by their numbers in the mesh, first those all of whose neighbours are
    here (`inner` of them). Rows are nodes; behind the n · N rows of these elements lie those of other ranks, `rows` in
    all. `facing` (n, 4, M) are rows; `sends` and `receives` are what `einsum_front.ranks.Halo` takes."""

    elements: Integers
    inner: int
    rows: int
    facing: Integers
    sends: dict[int, Integers]
    receives: dict[int, slice]


def part_of(mesh: Mesh, reference: Tetrahedron, owner: Integers, rank: int) -> Part:
    """The elements that a rank owns, and what it exchanges with others."""
    nodes = len(reference.nodes)
    facing = facing_rows(mesh, reference)
    ranks = np.where(mesh.neighbours < 0, owner[:, None], owner[mesh.neighbours])
    border = (ranks != owner[:, None]).any(axis=1)
    mine = np.nonzero(owner == rank)[0]
    elements = np.concatenate([mine[~border[mine]], mine[border[mine]]])
    local = np.full(len(owner) * nodes, -1, np.intp)  # a row here for each row of the mesh
    rows = elements[:, None] * nodes + np.arange(nodes)
    local[rows.ravel()] = np.arange(rows.size)
    sends, receives, end = {}, {}, rows.size
    for other in np.unique(ranks[elements]):
        if other == rank:
            continue
        face, side = np.nonzero(ranks[elements] == other)
        touched = elements[face]
        sends[int(other)] = local[np.unique(touched[:, None] * nodes + reference.faces[side])]
        needed = np.unique(facing[touched, side])  # in the order of the mesh on both ranks
        local[needed] = np.arange(end, end + len(needed))
        receives[int(other)] = slice(end, end + len(needed))
        end += len(needed)
    inner = int((~border[mine]).sum())
    return Part(elements, inner, end, local[facing[elements]], sends, receives)
