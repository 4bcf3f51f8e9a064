"""Sparser factors of matrices: their product is the matrix, and they are sparse where it can be seen how."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from einsum_front.ir.algebra import sparsify
from einsum_front.ir.algebra.sparsify import Factors, sparse_factors

Matrix = NDArray[np.float64]
UNITS = 64 * float(np.finfo(np.float64).eps)


def found(matrix: Matrix) -> Factors | None:
    return sparse_factors(matrix, np.abs(matrix))


@st.composite
def products(draw: st.DrawFn) -> tuple[Matrix, Matrix]:
    """Two sparse matrices of small integers."""
    rows, rank, columns = (draw(st.integers(1, limit)) for limit in (9, 5, 9))
    random = np.random.default_rng(draw(st.integers(0, 2**32)))
    left, right = (random.integers(-3, 4, shape).astype(float) for shape in ((rows, rank), (rank, columns)))
    density = draw(st.floats(0.1, 1))
    return left * (random.random(left.shape) < density), right * (random.random(right.shape) < density)


@pytest.mark.generated
@given(products())
def test_the_product_is_the_matrix(pair: tuple[Matrix, Matrix]) -> None:
    left, right = pair
    matrix, terms = left @ right, np.abs(left) @ np.abs(right)
    factors = sparse_factors(matrix, terms)
    if factors is None:
        return
    assert factors.left.shape == (len(matrix), factors.rank)
    assert factors.right.shape == (factors.rank, matrix.shape[1])
    assert factors.rank == np.linalg.matrix_rank(matrix)
    error = np.abs(factors.left @ factors.right - matrix)
    assert (error <= UNITS * terms.max(axis=1, keepdims=True)).all()
    assert (error <= UNITS * terms.max(axis=0, keepdims=True)).all()


@pytest.mark.generated
@given(products(), st.integers(0, 2**32))
def test_small_rows_and_columns_are_as_accurate_as_large_ones(pair: tuple[Matrix, Matrix], seed: int) -> None:
    random = np.random.default_rng(seed)
    matrix = pair[0] @ pair[1]
    rows, columns = (np.exp2(random.integers(-60, 60, size)) for size in matrix.shape)
    factors = found(rows[:, None] * matrix * columns)
    if factors is not None:
        product = (factors.left / rows[:, None]) @ (factors.right / columns)
        assert np.abs(product - matrix).max() <= UNITS * np.abs(matrix).max()


def test_a_product_of_columns_and_rows_is_seen() -> None:
    matrix = np.outer([1, 2, 0, 4], [3, 0, 5, 1, 7.0])
    factors = found(matrix)
    assert factors is not None
    assert (factors.rank, factors.entries, int(np.count_nonzero(matrix))) == (1, 7, 12)


def test_differences_that_rounding_left_are_zero() -> None:
    """The rows are multiples of each other but for their last bits."""
    matrix = np.outer(1 / np.arange(1, 8), 1 / np.arange(3, 12))
    assert len(np.unique(matrix / matrix[:, :1], axis=0)) > 1
    factors = found(matrix)
    assert factors is not None
    assert factors.rank == 1


def test_a_basis_in_which_two_matrices_are_sparse_is_found() -> None:
    """Both are dense in a turned basis; nothing of it is left in the factors of their product."""
    random = np.random.default_rng(1)
    left, right = np.kron(np.eye(4), random.random((6, 1))), np.kron(np.eye(4), random.random((1, 6)))
    turn = np.linalg.qr(random.random((4, 4)))[0]
    turned = left @ turn, turn.T @ right
    assert sum(map(np.count_nonzero, turned)) == 192
    factors = sparse_factors(turned[0] @ turned[1], np.abs(turned[0]) @ np.abs(turned[1]))
    assert factors is not None
    assert factors.entries == np.count_nonzero(left) + np.count_nonzero(right) == 48


def test_numbers_of_single_precision_have_no_structure_in_double() -> None:
    """What cancels in the numbers that were meant does not in those that are there: no rank is lost, and no digit."""
    matrix = np.outer(1 / np.arange(1, 8), 1 / np.arange(3, 12)).astype(np.float32).astype(np.float64)
    factors = found(matrix)
    assert factors is None or np.abs(factors.left @ factors.right - matrix).max() <= UNITS
    assert factors is None or factors.rank > 1


@pytest.mark.parametrize("limit", ["GROWTH", "ERROR"])
def test_what_is_less_accurate_is_not_taken(limit: str, monkeypatch: pytest.MonkeyPatch) -> None:
    matrix = np.random.default_rng(2).random((6, 5))
    assert found(matrix) is not None
    sparsify._remembered.cache_clear()
    monkeypatch.setattr(sparsify, limit, 0.0)
    assert found(matrix) is None
    sparsify._remembered.cache_clear()


def test_a_matrix_that_is_zero_but_for_rounding_has_no_factors() -> None:
    assert sparse_factors(np.full((2, 3), 2.0**-60), np.ones((2, 3))) is None


@pytest.mark.parametrize("matrix", [np.zeros((3, 4)), np.array([[np.inf, 1.0], [1.0, 2.0]]), np.array([[np.nan]])])
def test_matrices_without_factors(matrix: Matrix) -> None:
    assert found(matrix) is None


def test_many_pivots_are_compared_in_parts() -> None:
    """Of a large matrix only some: the result is as good as ever, in bounded time."""
    random = np.random.default_rng(3)
    left, right = random.random((180, 12)), random.random((12, 170))
    matrix = (left * (random.random(left.shape) < 0.3)) @ (right * (random.random(right.shape) < 0.3))
    factors = found(matrix)
    assert factors is not None
    assert (factors.rank, np.abs(factors.left @ factors.right - matrix).max() < 1e-13) == (12, True)
