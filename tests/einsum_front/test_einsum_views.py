"""Where NumPy gives a view of a single operand, so do we: the same memory, in the same steps, as writable."""

from typing import Any

import numpy as np
import pytest

import einsum_front as ef

RANDOM = np.random.default_rng(8)
CUBE = RANDOM.random((3, 3, 3))
FROZEN = CUBE.view()
FROZEN.flags.writeable = False


def same_view(found: Any, expected: Any, operand: np.ndarray) -> None:
    assert isinstance(found, np.ndarray)
    assert (found.shape, found.strides, found.dtype) == (expected.shape, expected.strides, expected.dtype)
    assert found.flags.writeable == expected.flags.writeable
    assert found.ctypes.data == expected.ctypes.data
    assert np.shares_memory(found, operand) or operand.size == 0


@pytest.mark.parametrize("optimize", [True, False, "greedy", ["einsum_path", (0,)]])
@pytest.mark.parametrize(
    "subscripts",
    [
        *("iii->i", "iij->ij", "iij->ji", "iji->ij", "ijk", "kji", "ijk->kij", "ijk->ijk", "a b c -> c b a"),
        *("...", "...->...", "...ii->...i", "ii...->...i", "i...j->j...i", "i...->...i"),
    ],
)
def test_what_is_only_looked_at_otherwise(subscripts: str, optimize: Any) -> None:
    found = ef.einsum(subscripts, CUBE, optimize=optimize)
    same_view(found, np.einsum(subscripts, CUBE, optimize=optimize), CUBE)


@pytest.mark.parametrize(
    "operand",
    [
        FROZEN,
        np.asfortranarray(CUBE),
        CUBE[::-1, ::2][:, :, :2],
        np.broadcast_to(CUBE[0], (2, 3, 3)),
        CUBE.astype(int),
        CUBE * 1j,
        CUBE > 0.5,
        CUBE.astype(np.float16),
        CUBE.astype(">f8"),
        np.zeros((0, 3, 2)),
        np.ones((1, 1, 1)),
        np.zeros(217, np.uint8)[1:].view(float).reshape(3, 3, 3),
        CUBE.view(type("Array", (np.ndarray,), {})),
    ],
)
def test_any_layout_and_any_type(operand: np.ndarray) -> None:
    same_view(ef.einsum("ijk->kij", operand), np.einsum("ijk->kij", operand), operand)


@pytest.mark.parametrize("keywords", [{"dtype": np.float32}, {"dtype": int}, {"order": "F"}, {"casting": "no"}])
def test_keywords_that_numpy_does_not_ask_for_a_view(keywords: Any) -> None:
    same_view(ef.einsum("ijk->kij", CUBE, **keywords), np.einsum("ijk->kij", CUBE, **keywords), CUBE)


def test_it_is_written_through() -> None:
    matrix = np.zeros((3, 3))
    for _ in range(3):  # calls like one before, too
        ef.einsum("ii->i", matrix)[:] += 1
    ef.einsum("ij->ji", matrix)[0, 2] = 5
    assert np.array_equal(matrix, [[3, 0, 0], [0, 3, 0], [5, 0, 3]])
    with pytest.raises(ValueError, match="read-only"):
        ef.einsum("ijk->ikj", FROZEN)[0] = 1


@pytest.mark.parametrize("subscripts", ["ijk->ij", "iij->j", "iii->", "iij", "ijk,->ijk", "i...->..."])
def test_what_is_computed_is_a_copy(subscripts: str) -> None:
    given = [CUBE, *([np.ones(())] if "," in subscripts else [])]
    assert not np.shares_memory(ef.einsum(subscripts, *given), CUBE)


def test_out_is_written() -> None:
    out = np.zeros((3, 3, 3), np.float32)
    assert ef.einsum("ijk->kij", CUBE, out=out, casting="same_kind") is out
    assert np.array_equal(out, CUBE.transpose(2, 0, 1).astype(np.float32))


def test_a_number_without_indices() -> None:
    assert isinstance(ef.einsum("->", np.array(2.0)), np.float64)


def test_tensors_of_torch_are_written_through() -> None:
    torch = pytest.importorskip("torch")
    matrix = torch.zeros(3, 3)
    ef.einsum("ii->i", matrix)[:] = 1
    assert matrix.sum() == 3
    assert ef.einsum("ij->ji", torch.ones(2, 3, dtype=torch.int64)).shape == (3, 2)


def test_arrays_of_jax_are_copied() -> None:
    jax = pytest.importorskip("jax")
    assert ef.einsum("ij->ji", jax.numpy.ones((2, 3))).shape == (3, 2)
