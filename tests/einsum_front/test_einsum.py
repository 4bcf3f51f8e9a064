"""`ef.einsum` gives what `numpy.einsum` gives, for any layout and any batch, and says what it cannot take."""

from importlib import import_module

import numpy as np
import pyopencl.array
import pytest

import einsum_front as ef
from runtime.device import find

RANDOM = np.random.default_rng(5)
A, B = RANDOM.random((7, 3, 4)), RANDOM.random((4, 5))


@pytest.mark.parametrize("subscripts", ["bik,kj->bij", "bik,kj", "bik,kj->", "bik,kj->ijb", " bik , kj -> b "])
def test_gives_what_numpy_gives(subscripts: str) -> None:
    np.testing.assert_allclose(ef.einsum(subscripts, A, B), np.einsum(subscripts, A, B), rtol=1e-13)


def test_takes_any_layout() -> None:
    for left, right in ((np.asfortranarray(A), B.T.copy().T), (A[::-1, ::2, ::-1], B[::-1, ::3])):
        np.testing.assert_allclose(
            ef.einsum("bik,kj->bij", left, right), np.einsum("bik,kj->bij", left, right), rtol=1e-13
        )


def test_the_type_is_that_of_the_widest_operand() -> None:
    single = A.astype(np.float32)
    assert ef.einsum("bik->b", single).dtype == np.float32
    assert ef.einsum("bik,kj->bij", single, B).dtype == np.float64
    assert ef.einsum("i,i->", [1.0, 2.0], [3.0, 4.0]) == 11.0


@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("bik,kj->bij", [(0, 3, 4), (4, 5)]),
        ("b->", [(0,)]),
        ("ik,kj->ij", [(0, 4), (4, 5)]),
        ("ik,kj->ij", [(3, 0), (0, 5)]),
        ("...i->...", [(2, 0, 3)]),
    ],
)
def test_empty_arrays_are_arrays(subscripts: str, shapes: list[tuple[int, ...]]) -> None:
    operands = [np.ones(shape) for shape in shapes]
    result, expected = ef.einsum(subscripts, *operands), np.einsum(subscripts, *operands)
    assert result.shape == expected.shape
    np.testing.assert_array_equal(result, expected)


def test_one_kernel_serves_every_batch(monkeypatch: pytest.MonkeyPatch) -> None:
    ef.einsum("bik,kj->bij", A[:2], B)
    monkeypatch.setattr(import_module("einsum_front.einsum"), "compile_program", None)
    for batch in (1, 3, 7):
        np.testing.assert_allclose(ef.einsum("bik,kj->bij", A[:batch], B), A[:batch] @ B, rtol=1e-13)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((A, [0, 1]), "error[E0227]: the index string is of type ndarray, expected str"),
        (("ij->i", [[1.0], [2.0, 3.0]]), "error[E0504]: operand 0 has no shape, expected an array"),
        (
            ("i,i->", np.ones(2), [1, 2]),
            "error[E0504]: operand 1 has element type int64, expected an array of float32 or float64",
        ),
        (("i->", None), "error[E0504]: operand 0 is of type NoneType, expected an array of float32 or float64"),
        (
            ("i,i->", np.ones(2)),
            "error[E0227]: the string describes 2 operands, but 1 is given\n --> <einsum>:1:1\n  |\n1 | i,i->\n  | ^^^",
        ),
        (
            ("ik,kj->ij", np.ones((3, 0)), np.ones((5, 6))),
            "error[E0227]: index `k` has size 5 in operand 1 but 0 in operand 0\n"
            " --> <einsum>:1:4\n  |\n1 | ik,kj->ij\n  |  - ^ 5\n  |  |\n  |  0",
        ),
    ],
)
def test_what_it_cannot_take(arguments: tuple[object, ...], words: str) -> None:
    with pytest.raises(ef.CompileError) as error:
        ef.einsum(*arguments)  # type: ignore[arg-type] # that is the test
    assert str(error.value) == words


def test_device_arrays_are_for_kernels() -> None:
    array = pyopencl.array.to_device(find().queue, B)
    with pytest.raises(ef.CompileError) as error:
        ef.einsum("ij->i", array)
    assert str(error.value) == ("error[E0504]: operand 0 is of type Array, expected an array of float32 or float64")
