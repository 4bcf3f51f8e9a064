"""The parts of `examples/pyfr` that need no PyFR: operators of symmetric elements, and meshes of boxes."""

from functools import reduce

import numpy as np
import pytest

from examples.pyfr.box import mesh
from examples.pyfr.symmetry import factors

RANDOM = np.random.default_rng(1)


def reflected(rows: int, columns: int, *, reflections: int) -> np.ndarray:
    """An operator that is itself after each reflection; signs of rows and columns change, but for the first."""
    matrix = RANDOM.standard_normal((rows, columns))
    for shift in range(reflections):
        orders = [np.arange(size) ^ (1 << shift) for size in matrix.shape]
        signs = [
            np.where((np.arange(size) >> 1) % 3 == 0, -1.0, 1.0) if shift else np.ones(size) for size in matrix.shape
        ]
        signs = [each * each[order] for each, order in zip(signs, orders, strict=True)]
        matrix = matrix + np.outer(*signs) * matrix[np.ix_(*orders)]
    return matrix


@pytest.mark.parametrize(("reflections", "share"), [(0, 1.0), (1, 0.55), (2, 0.35)])
def test_reflections_leave_the_product_and_halve_the_matrix(reflections: int, share: float) -> None:
    matrix = reflected(24, 16, reflections=reflections)
    found = factors(matrix, reflections or 2)
    np.testing.assert_allclose(reduce(np.matmul, found), matrix, rtol=0, atol=1e-14 * abs(matrix).max())
    assert max(np.count_nonzero(each) for each in found) <= share * matrix.size
    assert (len(found) > 1) == (reflections > 0)
    ends = [each for each in found if np.count_nonzero(each) <= 2 * max(each.shape)]
    assert len(found) - len(ends) == 1
    assert all(set(np.unique(each)) <= {-1.0, 0.0, 1.0} for each in ends)


def test_points_on_the_mirror_stay_where_they_are() -> None:
    """Derivatives on nine points, the fifth of which is the middle: all signs change."""
    points = np.cos(np.pi * (2 * np.arange(9) + 1) / 18)
    powers: np.ndarray = np.vander(points, increasing=True)
    derivative = np.pad(powers[:, :-1] * np.arange(1, 9), ((0, 0), (1, 0))) @ np.linalg.inv(powers)
    matrix = (derivative - derivative[::-1, ::-1]) / 2
    left, middle, right = factors(matrix, 1)
    np.testing.assert_allclose(left @ middle @ right, matrix, rtol=0, atol=1e-14 * abs(matrix).max())
    assert np.count_nonzero(middle) == 4 * 5 * 2


@pytest.mark.parametrize(("shape", "corners", "pieces"), [
    ("quad", 4, 1), ("tri", 3, 2), ("hex", 8, 1), ("tet", 4, 6), ("pri", 6, 2), ("pyr", 5, 6),
])  # fmt: skip
def test_elements_fill_the_box_and_opposite_sides_match(shape: str, corners: int, pieces: int) -> None:
    lines = mesh(shape, 2).split("\n")
    first = lines.index("$Nodes") + 2
    nodes = np.array([list(map(float, each.split()[1:])) for each in lines[first : lines.index("$EndNodes")]])
    elements = [list(map(int, each.split())) for each in lines[lines.index("$Elements") + 2 : -2]]
    dimensions = 2 if shape in ("quad", "tri") else 3
    inside = [np.array(each[5:]) - 1 for each in elements if each[3] == 1]
    assert len(inside) == pieces * 2**dimensions
    assert all(len(each) == corners for each in inside)
    if shape == "tet":
        volumes = [np.linalg.det(nodes[each[1:]] - nodes[each[0]]) / 6 for each in inside]
        assert min(volumes) > 0
        assert sum(volumes) == pytest.approx(8)
    for axis in range(dimensions):
        sides = []
        for side in (0, 1):
            faces = [nodes[np.array(each[5:]) - 1] for each in elements if each[3] == 2 + 2 * axis + side]
            assert all((each[:, axis] == 2 * side - 1).all() for each in faces)
            others = [each for each in range(3) if each != axis]
            sides.append(sorted(tuple(sorted(map(tuple, each[:, others]))) for each in faces))
        assert sides[0] == sides[1]
