"""The ADER-DG matrices: their non-zeros against published tables, and the identities that define them, exactly."""

from collections.abc import Iterator
from decimal import Decimal, localcontext
from fractions import Fraction
from math import factorial
from pathlib import Path

import numpy as np
import pytest

from examples.ader_dg import elastic, reference
from examples.ader_dg.dubiner import FACES, ORIENTATIONS, tetrahedron, trace, triangle
from examples.ader_dg.dunavant import dunavant
from examples.ader_dg.matrices import write
from examples.ader_dg.modal import Matrices, inverse_mass, modal
from examples.ader_dg.nodal import nodal, plasticity
from examples.ader_dg.nodes import equidistant, warp_and_blend
from examples.ader_dg.output import collocation, sub_triangle_means
from examples.ader_dg.polynomials import Matrix, Polynomials, affine
from examples.ader_dg.precise import CONTEXT, decimals, floats, inverse
from examples.ader_dg.quadrature import Rule, gauss_jacobi, stroud
from examples.ader_dg.rupture import DUNAVANT, face_rule, rupture

ORDERS = range(2, 7)
NORMALS = ((0, 0, -1), (0, -1, 0), (-1, 0, 0), (1, 1, 1))
"""Outward normals of the reference faces, as long as the face is large."""

NONZEROS = {
    "kDivM_0": (1, 7, 33, 108, 294),
    "kDivM_1": (2, 17, 77, 252, 672),
    "kDivM_2": (3, 22, 92, 287, 742),
    "kDivMT_0": (1, 7, 33, 108, 294),
    "kDivMT_1": (2, 17, 77, 252, 672),
    "kDivMT_2": (3, 22, 92, 287, 742),
    **{f"{family}_0": (6, 20, 50, 103, 192) for family in ("rDivM", "fMrT", "rT")},
    **{f"{family}_1": (6, 20, 50, 105, 196) for family in ("rDivM", "fMrT", "rT")},
    **{f"{family}_2": (10, 44, 142, 363, 804) for family in ("rDivM", "fMrT", "rT")},
    **{f"{family}_3": (9, 40, 125, 309, 672) for family in ("rDivM", "fMrT", "rT")},
    "fP_0": (5, 14, 30, 53, 89),
    "fP_1": (3, 6, 10, 15, 21),
    "fP_2": (5, 14, 30, 53, 89),
    "M3inv": (4, 10, 20, 35, 56),
    "V3mTo2nFace_0": (11, 53, 180, 479, 1097),
}


@pytest.fixture(autouse=True)
def sixty_digits() -> Iterator[None]:
    with localcontext(CONTEXT):
        yield


@pytest.fixture(scope="module", params=ORDERS)
def order(request: pytest.FixtureRequest) -> int:
    return int(request.param)


@pytest.fixture(scope="module")
def solver(order: int) -> Matrices:
    with localcontext(CONTEXT):
        return modal(order) | nodal(order)


def assert_close(actual: Matrix, expected: Matrix, digits: int = 50) -> None:
    """For matrices of decimals: both have 60 digits."""
    assert actual.shape == expected.shape
    assert np.abs(decimals(actual) - decimals(expected)).max() < Decimal(10) ** -digits


def count(matrix: Matrix) -> int:
    return int(np.count_nonzero(floats(matrix)))


def basis_size(order: int) -> int:
    return order * (order + 1) * (order + 2) // 6


# -- non-zeros ---------------------------------------------------------------------------------------------------------


def test_non_zeros_are_those_of_the_published_tables(order: int, solver: Matrices) -> None:
    actual = {name: count(solver[name]) for name in NONZEROS}
    assert actual == {name: counts[order - 2] for name, counts in NONZEROS.items()}


def test_plasticity_nodes_have_the_non_zeros_of_the_published_tables(order: int) -> None:
    # The table has 2777 for `v` at order 6, but the three entries more are zero in exact arithmetic.
    matrices = plasticity(order, basis_size(order))
    assert count(matrices["v"]) == (13, 82, 337, 1058, 2774)[order - 2]
    assert count(matrices["vInv"]) == (13, 73, 296, 983, 2623)[order - 2]


def test_dunavant_points_have_the_non_zeros_of_the_published_tables(order: int) -> None:
    matrices = rupture(order, DUNAVANT[order])
    assert count(matrices["V3mTo2n_0_0"]) == (22, 114, 289, 832, 1738)[order - 2]


def test_stiffness_stays_below_the_highest_degree(order: int, solver: Matrices) -> None:
    lower = basis_size(order - 1)
    for d in range(3):
        assert not solver[f"kDivM_{d}"][:, lower:].any()
        assert not solver[f"kDivMT_{d}"][lower:, :].any()


def test_each_time_derivative_loses_a_degree(order: int, solver: Matrices) -> None:
    for n in range(order):
        pattern = solver[f"dQ_{n}"]
        assert pattern[: basis_size(order - n)].all()
        assert not pattern[basis_size(order - n) :].any()


# -- identities --------------------------------------------------------------------------------------------------------


def test_bases_are_orthogonal(order: int) -> None:
    for basis in (tetrahedron(order), triangle(order)):
        mass = basis.inner(basis)
        assert np.array_equal(mass, np.diag(np.diag(mass)))
        assert all(entry > 0 for entry in np.diag(mass))


def test_lowest_functions_are_the_known_ones() -> None:
    phi = tetrahedron(2).at(np.array([[2, 3, 5]], dtype=object))
    assert phi.tolist() == [[1, 2 * 2 - 1 + 3 + 5, 3 * 3 - 1 + 5, 4 * 5 - 1]]


def test_transposed_stiffness_differentiates_exactly(order: int, solver: Matrices) -> None:
    phi = tetrahedron(order)
    for d in range(3):
        expanded = solver[f"kDivMT_{d}"].T @ phi.coefficients
        assert np.array_equal(expanded, phi.derivative(d).coefficients)


def test_stiffness_and_faces_integrate_by_parts(order: int, solver: Matrices) -> None:
    for d in range(3):
        boundary = sum(NORMALS[i][d] * solver[f"rDivM_{i}"] @ solver[f"fMrT_{i}"] for i in range(4))
        assert np.array_equal(solver[f"kDivM_{d}"] + solver[f"kDivMT_{d}"], boundary)


def test_the_face_basis_holds_every_trace(order: int, solver: Matrices) -> None:
    for i in range(4):
        expanded = solver[f"rT_{i}"].T @ triangle(order).coefficients
        assert np.array_equal(expanded, trace(order, i).coefficients)


def test_turned_faces_are_the_neighbours_traces(order: int, solver: Matrices) -> None:
    mass = inverse_mass(tetrahedron(order))
    for h, turn in enumerate(ORIENTATIONS):
        for i, j in ((0, 1), (2, 3), (3, 3)):
            exact = mass * trace(order, i).inner(trace(order, j).compose(*turn))
            product = solver[f"rDivM_{i}"] @ solver[f"fP_{h}"] @ solver[f"rT_{j}"]
            assert np.array_equal(product, exact)


def test_what_a_neighbour_sees_is_seen_back(order: int, solver: Matrices) -> None:
    mass = inverse_mass(triangle(order))
    for h in range(3):
        turn = mass * solver[f"fP_{h}"]
        assert np.array_equal(turn @ turn, np.eye(len(turn), dtype=int))


# -- points ------------------------------------------------------------------------------------------------------------


def assert_exact(rule: Rule, basis: Polynomials, digits: int) -> None:
    """The first function is 1 and the others are orthogonal to it, so their integrals are zero."""
    points, weights = rule
    integrals = weights @ basis.at(points)
    assert np.abs(integrals[1:]).max() < Decimal(10) ** -digits
    assert abs(sum(weights) - Decimal(1) / factorial(points.shape[1])) < Decimal(10) ** -digits
    assert min(weights) > 0


@pytest.mark.parametrize("a", [0, 1, 2])
def test_gauss_jacobi_points_are_exact_to_degree_2n_minus_1(a: int) -> None:
    points, weights = gauss_jacobi(5, a)
    for power in range(10):
        beta = Fraction(factorial(power) * factorial(a), factorial(power + a + 1))
        assert_close(np.array([weights @ points[:, 0] ** power]), np.array([beta]))


def test_conical_products_are_exact_to_degree_2o_plus_1(order: int) -> None:
    assert_exact(stroud(2, order + 1), triangle(2 * order + 2), digits=48)
    assert_exact(stroud(3, order + 1), tetrahedron(order + 2), digits=48)


def test_dunavant_points_are_exact_to_degree_2o(order: int) -> None:
    assert_exact(dunavant(DUNAVANT[order]), triangle(2 * order + 1), digits=14)


def test_projection_inverts_evaluation(order: int, solver: Matrices) -> None:
    identity = np.eye(basis_size(order), dtype=int)
    assert_close(solver["projectQP"] @ solver["evalAtQP"], identity)
    for nodes in (basis_size(order), (order + 1) ** 3):
        matrices = plasticity(order, nodes)
        assert_close(matrices["vInv"] @ matrices["v"], identity)


def test_nodes_are_on_the_lobatto_points_of_an_edge() -> None:
    edge = warp_and_blend(2, 4)[:5, 0].astype(float)
    np.testing.assert_allclose(edge, (1 + np.array([-1, -((3 / 7) ** 0.5), 0, (3 / 7) ** 0.5, 1])) / 2, atol=1e-15)


@pytest.mark.parametrize("degree", range(1, 4))
def test_elements_share_the_nodes_of_a_face(degree: int) -> None:
    """Up to degree 3, where the blending parameters of triangle and tetrahedron act on no node."""
    in_element = {tuple(point) for point in floats(warp_and_blend(3, degree)).round(12).tolist()}
    x, y = warp_and_blend(2, degree).T
    on_faces = (np.stack(face, axis=1) for face in ((y, x, 0 * x), (x, 0 * x, y), (0 * x, y, x), (1 - x - y, x, y)))
    assert in_element >= {tuple(point) for face in on_faces for point in floats(face).round(12).tolist()}


def test_nodal_matrices_interpolate_on_the_face(order: int, solver: Matrices) -> None:
    psi, points = triangle(order), warp_and_blend(2, order - 1)
    assert_close(solver["MV2nTo2m"] @ psi.at(points), np.eye(len(points), dtype=int))
    for i in range(4):
        modal_flux = solver[f"project2nFaceTo3m_{i}"] @ solver[f"V3mTo2nFace_{i}"]
        assert_close(modal_flux, solver[f"rDivM_{i}"] @ solver[f"fMrT_{i}"], digits=48)
    at_quadrature = solver["V2nTo2JacobiQuad"] @ solver["V3mTo2nFace_2"]
    assert_close(at_quadrature, trace(order, 2).at(stroud(2, order + 1)[0]), digits=48)


def test_points_of_a_fault_integrate_over_the_face(order: int, solver: Matrices) -> None:
    for points, digits in (((order + 1) ** 2, 48), (DUNAVANT[order], 11)):
        matrices = rupture(order, points)
        for i, j, h in ((0, 1, 0), (2, 3, 2)):
            own, test = matrices[f"V3mTo2n_{i}_0"], matrices[f"V3mTo2nTWDivM_{i}_0"]
            assert_close(test @ own, solver[f"rDivM_{i}"] @ solver[f"fMrT_{i}"], digits)
            neighbours = solver[f"rDivM_{i}"] @ solver[f"fP_{h}"] @ solver[f"rT_{j}"]
            assert_close(test @ matrices[f"V3mTo2n_{j}_{h + 1}"], neighbours, digits)


def test_resampling_keeps_traces(order: int) -> None:
    matrices = rupture(order, (order + 1) ** 2)
    assert_close(matrices["resample"] @ matrices["V3mTo2n_1_0"], matrices["V3mTo2n_1_0"], digits=48)
    assert_close(matrices["resample"] @ matrices["resample"], matrices["resample"], digits=48)


def test_an_unknown_number_of_points_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^order 4 has 25 or 16 points, not 12$"):
        face_rule(4, 12)
    with pytest.raises(ValueError, match=r"^order 4 has 20 or 125 plasticity nodes, not 12$"):
        plasticity(4, 12)


# -- output ------------------------------------------------------------------------------------------------------------


def test_means_over_parts_average_to_the_mean(order: int) -> None:
    psi = triangle(order)
    for refinement in range(3):
        means = sub_triangle_means(psi, refinement)
        assert means.shape == (4**refinement, order * (order + 1) // 2)
        assert np.array_equal(means.sum(axis=0) / Fraction(len(means)), [1, *[0] * (means.shape[1] - 1)])


def test_a_part_is_numbered_by_its_quarters() -> None:
    """A linear function has its mean at the centroid; quarter 2 of quarter 1 has it at (2/3, 1/6) + (-1, 2)/12."""
    x_and_y = Polynomials.of([affine(0, 1, 0), affine(0, 0, 1)], degree=1)
    means = sub_triangle_means(x_and_y, 2)
    assert means[1 * 4 + 2].tolist() == [Fraction(2, 3) - Fraction(1, 12), Fraction(1, 6) + Fraction(2, 12)]


def test_output_points_are_the_lattice_of_the_cell() -> None:
    assert equidistant(2, 0).tolist() == [[Fraction(1, 3), Fraction(1, 3)]]
    half = Fraction(1, 2)
    assert equidistant(2, 2).tolist() == [[0, 0], [half, 0], [1, 0], [0, half], [half, half], [0, 1]]
    matrices = collocation(3, 2)
    assert {name: matrix.shape for name, matrix in matrices.items()} == {
        "collvv": (10, 10),
        "collff": (6, 6),
        **{f"collvf_{j}": (6, 10) for j in range(len(FACES))},
    }


# -- quantities --------------------------------------------------------------------------------------------------------


def test_star_has_the_non_zeros_of_the_elastic_jacobians() -> None:
    """A matrix in reference coordinates is a combination of A_x, A_y and A_z."""
    combined = np.abs(reference.jacobians()).sum(axis=0).T != 0
    assert np.array_equal(elastic.star_pattern() != 0, combined)
    assert np.count_nonzero(combined) == 24


def test_elastic_waves_have_their_speeds() -> None:
    """With density and Lame parameters 1: pressure waves sqrt(3), shear waves 1 in two directions, three at rest."""
    speeds = np.linalg.eigvals(np.tensordot([0.6, 0.0, 0.8], reference.jacobians(), 1))
    root = 3**0.5
    np.testing.assert_allclose(np.sort(speeds.real), [-root, -1, -1, 0, 0, 0, 1, 1, root], atol=1e-12)


def test_selectors_of_stress_remove_its_mean() -> None:
    values = elastic.selectors()
    stress = np.array([1, 2, 6, 7, 8, 9], dtype=object)
    mean = stress @ values["selectBulkAverage"]
    assert (stress + mean * values["selectBulkNegative"]).tolist() == [-2, -1, 3, 7, 8, 9]


# -- files and arithmetic ----------------------------------------------------------------------------------------------


def test_files_are_written_once_and_always_the_same(tmp_path: Path) -> None:
    first = write(2, tmp_path)
    texts = {path: path.read_bytes() for path in first}
    assert {path.name for path in first} == {
        "elastic.npz",
        "order2.npz",
        *(f"order2_rupture{points}.npz" for points in (9, 6)),
        *(f"order2_plasticity{nodes}.npz" for nodes in (4, 27)),
        *(f"order2_refined{degree}.npz" for degree in range(9)),
    }
    assert write(2, tmp_path) == []
    assert write(2, tmp_path, force=True) == first
    assert {path: path.read_bytes() for path in first} == texts


def test_entries_are_the_nearest_doubles_and_zeros_are_zero() -> None:
    entries = np.array([Fraction(1, 3), 2, Decimal("1e-58"), Decimal("-0.1")], dtype=object)
    assert floats(entries).tolist() == [1 / 3, 2.0, 0.0, -0.1]


def test_an_entry_between_rounding_and_numbers_is_refused() -> None:
    with pytest.raises(ArithmeticError, match=r"^cannot tell whether 1E-35 is zero$"):
        floats(np.array([Decimal("1e-35")], dtype=object))


def test_inverse_needs_no_nonzero_diagonal() -> None:
    matrix = decimals(np.array([[0, 2], [4, 1]], dtype=object))
    assert floats(inverse(matrix)).tolist() == [[-0.125, 0.25], [0.5, 0.0]]
