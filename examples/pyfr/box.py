"""A periodic box of any of PyFR's shapes in Gmsh's format, and the configuration of a vortex in it."""

from collections.abc import Sequence
from itertools import permutations, product

import numpy as np

KINDS = {"line": 1, "tri": 2, "quad": 3, "tet": 4, "hex": 5, "pri": 6, "pyr": 7}
"""Gmsh's numbers."""

Corner = tuple[float, ...]

SQUARE: tuple[Corner, ...] = ((0, 0), (1, 0), (1, 1), (0, 1))
TRIANGLES = ((0, 1, 2), (0, 2, 3))
"""Of a square: all are cut along the same diagonal, so that those on opposite sides of the box match."""

CONFIGURATION = """
[backend]
precision = {precision}
[backend-openmp]
cc = cc
[constants]
gamma = 1.4
mu = 0.000625
Pr = 0.72
[solver]
system = {system}
order = {order}
[solver-time-integrator]
formulation = std
scheme = rk4
controller = none
tstart = 0.0
tend = {end}
dt = {dt}
[solver-interfaces]
riemann-solver = rusanov
ldg-beta = 0.5
ldg-tau = 0.1
[solver-interfaces-line]
flux-pts = gauss-legendre
[solver-interfaces-quad]
flux-pts = gauss-legendre
[solver-interfaces-tri]
flux-pts = williams-shunn
[solver-elements-quad]
soln-pts = gauss-legendre
[solver-elements-tri]
soln-pts = williams-shunn
[solver-elements-hex]
soln-pts = gauss-legendre
[solver-elements-tet]
soln-pts = shunn-ham
[solver-elements-pri]
soln-pts = williams-shunn~gauss-legendre
[solver-elements-pyr]
soln-pts = gauss-legendre
[soln-plugin-writer]
dt-out = {end}
basedir = .
basename = out-{{t:.4f}}
[soln-ics]
"""

VORTEX = """rho = 1 + 0.2*exp(-8*(x*x + y*y))
u = 0.5 - y*exp(-4*(x*x + y*y))
v = 0.25 + x*exp(-4*(x*x + y*y))
p = 10
"""
"""Two dimensions: a vortex that drifts."""

TAYLOR_GREEN = """rho = 1
u = sin(3.141592653589793*x)*cos(3.141592653589793*y)*cos(3.141592653589793*z)
v = -cos(3.141592653589793*x)*sin(3.141592653589793*y)*cos(3.141592653589793*z)
w = 0
p = 100 + (cos(6.283185307179586*x) + cos(6.283185307179586*y))*(cos(6.283185307179586*z) + 2)/16
"""
"""Three dimensions: the vortex of Taylor and Green."""


def configuration(shape: str, system: str, order: int, dt: float, steps: int, precision: str) -> str:
    """PyFR's file for so many steps."""
    text = CONFIGURATION.format(system=system, order=order, dt=dt, end=dt * steps, precision=precision)
    return text + (VORTEX if shape in ("quad", "tri") else TAYLOR_GREEN)


def mesh(shape: str, elements: int) -> str:
    """The box from -1 to 1: so many squares or cubes in each direction, cut into elements of the shape."""
    dimensions = 2 if shape in ("quad", "tri") else 3
    numbers: dict[Corner, int] = {}
    cells, faces = _cut(shape)
    found = []
    for cell in np.ndindex(*[elements] * dimensions):
        for corners in cells:
            found.append(f"{KINDS[shape]} 2 1 1 {_placed(corners, cell, numbers)}")
    for axis, side in product(range(dimensions), (0, 1)):
        number = 2 + 2 * axis + side
        for cell in np.ndindex(*[elements if each != axis else 1 for each in range(dimensions)]):
            place = [each if where != axis else side * (elements - 1) for where, each in enumerate(cell)]
            for corners in faces[axis, side]:
                kind = {2: "line", 3: "tri", 4: "quad"}[len(corners)]
                found.append(f"{KINDS[kind]} 2 {number} {number} {_placed(corners, place, numbers)}")
    names = [f"periodic_{axis}_{side}" for axis in range(dimensions) for side in "lr"]
    lines = ["$MeshFormat", "2.2 0 8", "$EndMeshFormat", "$PhysicalNames", str(1 + len(names))]
    lines += [f'{dimensions - 1} {place + 2} "{name}"' for place, name in enumerate(names)]
    lines += [f'{dimensions} 1 "fluid"', "$EndPhysicalNames", "$Nodes", str(len(numbers))]
    for corner, number in numbers.items():
        place = [2 * each / elements - 1 for each in corner] + [0.0] * (3 - dimensions)
        lines.append(f"{number} {' '.join(map(repr, place))}")
    lines += ["$EndNodes", "$Elements", str(len(found))]
    return "\n".join([*lines, *(f"{place + 1} {each}" for place, each in enumerate(found)), "$EndElements", ""])


def _placed(corners: tuple[Corner, ...], cell: Sequence[int], numbers: dict[Corner, int]) -> str:
    """Numbers of the corners of an element in a cell."""
    places = [tuple(float(each) for each in np.add(cell, corner)) for corner in corners]
    return " ".join(str(numbers.setdefault(place, len(numbers) + 1)) for place in places)


def _cut(shape: str) -> tuple[list[tuple[Corner, ...]], dict[tuple[int, int], list[tuple[Corner, ...]]]]:
    """The elements of a cube, and the faces on each of its sides, by the axis and the side."""
    if shape in ("quad", "tri"):
        pieces = [(0, 1, 2, 3)] if shape == "quad" else TRIANGLES
        cells = [tuple(SQUARE[each] for each in piece) for piece in pieces]
        lines = {(axis, side): [_side(((0,), (1,)), axis, side)] for axis in (0, 1) for side in (0, 1)}
        return cells, lines
    low, high = (tuple((*each, z) for each in SQUARE) for z in (0, 1))
    sides = {(axis, side): [_side(SQUARE, axis, side)] for axis in range(3) for side in (0, 1)}
    if shape == "hex":
        return [low + high], sides
    if shape == "pri":
        for z, corners in enumerate((low, high)):
            sides[2, z] = [tuple(corners[each] for each in piece) for piece in TRIANGLES]
        return [tuple(each[corner] for each in (low, high) for corner in piece) for piece in TRIANGLES], sides
    if shape == "pyr":
        middle = (0.5, 0.5, 0.5)
        inwards = (face if _turn(face, middle) else face[::-1] for (face,) in sides.values())
        return [(*face, middle) for face in inwards], sides
    for where, (face,) in sides.items():
        sides[where] = [tuple(face[each] for each in piece) for piece in TRIANGLES]
    tetrahedra: list[tuple[Corner, ...]] = []
    for order in permutations(range(3)):
        path: list[Corner] = [(0, 0, 0)]
        for axis in order:
            path.append(tuple(1 if each == axis else path[-1][each] for each in range(3)))
        is_even = np.linalg.det(np.eye(3)[list(order)]) > 0
        tetrahedra.append(tuple(path) if is_even else (*path[:2], path[3], path[2]))
    return tetrahedra, sides


def _side(corners: tuple[Corner, ...], axis: int, side: int) -> tuple[Corner, ...]:
    return tuple((*corner[:axis], side, *corner[axis:]) for corner in corners)


def _turn(face: tuple[Corner, ...], top: Corner) -> bool:
    """True if the corners of a face go round to the left, seen from the top."""
    first, second, third = (np.subtract(each, face[0]) for each in (face[1], face[2], top))
    return bool(np.dot(np.cross(first, second), third) > 0)
