"""Corners of the interpreter that random programs seldom meet; the rest is compared in test_meaning.py."""

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Source
from einsum_front.notation.check import check
from einsum_front.notation.interpret import interpret
from einsum_front.notation.parse import parse


def run(text: str, **arguments: NDArray[np.generic] | float) -> None:
    program = check(parse(Source("t.ein", text)))
    for kernel in program.kernels:
        interpret(kernel, program, arguments)


def test_the_right_hand_side_comes_first() -> None:
    a = np.arange(8.0).reshape(2, 2, 2)
    expected = a + a.transpose(0, 2, 1) + a
    run("tensor A[2, 2] kernel f { A[ij] += A[ji] + A[ij] }", A=a)
    assert np.array_equal(a, expected)


def test_entries_that_a_target_does_not_name_stay() -> None:
    a = np.full((1, 3, 4), 7.0)
    run("tensor A[3, 4] kernel f { A[i=0:2,1] = 0 A[0,j=2:4] = 1 }", A=a)
    assert np.array_equal(a[0], [[7, 0, 1, 1], [7, 0, 7, 7], [7, 7, 7, 7]])


def test_a_diagonal_is_written() -> None:
    a, x = np.zeros((2, 3, 3)), np.arange(6.0).reshape(2, 3)
    run("tensor A[3, 3] tensor x[3] kernel f { A[ii] = x[i] }", A=a, x=x)
    assert np.array_equal(a, [np.diag(x[0]), np.diag(x[1])])


def test_declared_zeros_are_neither_read_nor_written() -> None:
    a, y = np.array([[np.nan, 2.0], [np.nan, 3.0]]), np.zeros((2, 2))
    run("tensor A[2] nonzeros [(1)] tensor y[2] kernel f { A[i] = 2 * A[i] y[i] = A[i] }", A=a, y=y)
    assert np.array_equal(a, [[np.nan, 4], [np.nan, 6]], equal_nan=True)
    assert np.array_equal(y, [[0, 4], [0, 6]])


def test_known_values_need_no_argument() -> None:
    y = np.zeros((1, 2))
    run("tensor K[2, 2] values<1, 2, 3, 4> tensor y[2] kernel f { y[i] = K[ij] }", y=y)
    assert np.array_equal(y, [[4, 6]])


def test_everything_is_computed_in_the_element_type() -> None:
    x = np.full((1, 3), 2.0**24, dtype=np.float32)
    run("real f32 tensor x[3] scalar s kernel f { x[i] = x[i] + s - x[i] }", x=x, s=1.0)
    assert np.array_equal(x, np.zeros((1, 3)))


def test_arithmetic_of_scalars() -> None:
    t = np.zeros(1)
    run("tensor t[] scalar a scalar b kernel f { t[] = (a - b)**2 / (2*b) + b**-1 - -a }", t=t, a=5.0, b=2.0)
    assert np.array_equal(t, [9 / 4 + 0.5 + 5])


@pytest.mark.parametrize("layout", ["C", "F"])
def test_the_layout_of_an_array_does_not_matter(layout: str) -> None:
    a = np.asarray(np.arange(12.0).reshape(2, 2, 3), order="F" if layout == "F" else "C")
    t = np.zeros(2)
    run("tensor A[2, 3] row_major tensor t[] kernel f { t[] = A[ij] }", A=a, t=t)
    assert np.array_equal(t, [15, 51])


def test_an_empty_batch() -> None:
    a = np.zeros((0, 3))
    run("tensor A[3] temp T[3] kernel f { T[i] = 2 * A[i] A[i] = T[i] * T[j] }", A=a)
    assert a.shape == (0, 3)


def test_factors_are_multiplied_without_large_products_on_the_way() -> None:
    """As written, the matrices alone make 40**6 entries: 32 GB."""
    text = "tensor v[40,40,40]\ntensor A[40,40] constant\nkernel f { v[ijk] = A[il] * A[jm] * A[kn] * v[lmn] }"
    random = np.random.default_rng(0)
    matrix, v = random.random((40, 40)), random.random((2, 40, 40, 40))
    expected = np.einsum("il,jm,kn,elmn->eijk", matrix, matrix, matrix, v, optimize=True)
    run(text, A=matrix, v=v)
    np.testing.assert_allclose(v, expected, rtol=1e-13)
