"""Long sums without a batch are computed in parts: with NumPy's accuracy, and the same bits in each run."""

from math import fsum
from typing import Any

import numpy as np
import pyopencl.array as cl_array
import pytest

import einsum_front as ef
from einsum_front.index_string.contract import MANY_TERMS, Parts, parts_of
from einsum_front.index_string.program import read_einsum
from einsum_front.runtime.devices.device import find_device

RANDOM = np.random.default_rng(11)


def parts(text: str, *shapes: tuple[int, ...]) -> Parts | None:
    return parts_of(read_einsum(text, shapes))


@pytest.mark.parametrize(
    ("text", "shapes", "expected"),
    [
        ("i,i->", [(10**6 + 5,)] * 2, Parts(2, 128, 7812, 69, 1)),
        ("ijk->", [(100, 100, 100)], Parts(1, 125, 8000, 0, 1)),
        ("ijk,ijk->k", [(100, 1000, 10)] * 2, Parts(2, 125, 800, 0, 10)),
        ("ij->j", [(40, 2**15)], Parts(1, 2, 20, 0, 2**15)),
        ("ij->j", [(20, 2**15)], None),
        ("i,i->", [(MANY_TERMS - 1,)] * 2, None),
        ("ij,ji->", [(1000, 1000)] * 2, None),
        ("ij->i", [(1000, 1000)], None),
        ("ii->", [(1000, 1000)], None),
        ("i,i->", [(10**6,), (1,)], None),
        ("ijk->kj", [(100, 100, 100)], None),
    ],
)
def test_the_parts_of_a_sum(text: str, shapes: list[tuple[int, ...]], expected: Parts | None) -> None:
    assert parts(text, *shapes) == expected


@pytest.mark.parametrize(
    ("text", "shape"),
    [("i,i->", (600_011,)), ("ij->", (809, 701)), ("ijk,ijk->k", (9, 7001, 9)), ("ij,ij,ij->j", (50_001, 11))],
)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_results_are_those_of_numpy_and_the_same_each_time(
    text: str, shape: tuple[int, ...], kind: type[np.floating[Any]]
) -> None:
    operands = [RANDOM.standard_normal(shape).astype(kind) for _ in text.split("->", maxsplit=1)[0].split(",")]
    assert parts(text, *(each.shape for each in operands)) is not None
    result = ef.einsum(text, *operands)
    expected = np.einsum(text, *(each.astype(np.longdouble) for each in operands))
    magnitude = np.einsum(text, *map(np.abs, operands))
    # partial sums of 128 parts, of which each has levels of 16: no sum has more than some hundred terms one by one
    np.testing.assert_array_less(abs(result - expected), 64 * np.finfo(kind).eps * magnitude)
    for _ in range(3):
        np.testing.assert_array_equal(ef.einsum(text, *operands), result)
    out = np.empty(result.shape, kind)
    ef.einsum(text, *operands, out=out)
    np.testing.assert_array_equal(out, result)
    strided = [np.asfortranarray(each) for each in operands]
    np.testing.assert_allclose(ef.einsum(text, *strided), expected, atol=64 * np.finfo(kind).eps * magnitude.max())


def test_as_accurate_as_numpy() -> None:
    ours, theirs = [], []
    for _ in range(10):
        numbers = RANDOM.standard_normal(2**20).astype(np.float32)
        exact = fsum(map(float, numbers))
        ours.append(abs(float(ef.einsum("i->", numbers)) - exact))
        theirs.append(abs(float(np.einsum("i->", numbers)) - exact))
    assert np.mean(ours) <= 1.5 * np.mean(theirs)


def test_arrays_of_a_device() -> None:
    queue = find_device().queue
    host = [RANDOM.standard_normal((701, 1009)) for _ in range(2)]
    there = [cl_array.to_device(queue, each) for each in host]
    expected = ef.einsum("ij,ij->", *host)
    np.testing.assert_array_equal(ef.einsum("ij,ij->", *there).get(), expected)
