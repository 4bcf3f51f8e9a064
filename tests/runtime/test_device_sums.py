"""Sums along rows over all work-groups: every length, both stages, the same bits in each run."""

from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.index_string import call as calls
from einsum_front.index_string.contract import known_string
from einsum_front.runtime import Device, DeviceMemory, RowSums
from einsum_front.runtime.launches.device_sums import ITEMS, SUMS
from tests.runtime.kernels import DEVICE

GPU = Device(replace(DEVICE.facts, shares_host_memory=False, compute_units=4), DEVICE.opencl)
STEP = ITEMS * SUMS


def upload(array: NDArray[Any]) -> cl_array.Array:
    return cl_array.to_device(DEVICE.queue, array)


@pytest.mark.parametrize("real", [np.float32, np.float64])
@pytest.mark.parametrize("operands", [1, 2])
@pytest.mark.parametrize(
    ("rows", "length"),
    [(1, 1), (1, 255), (1, STEP), (1, STEP + 1), (1, 20 * STEP + 77), (3, 5 * STEP - 1), (40, 2 * STEP), (5, 300)],
)
def test_sums_of_rows(rows: int, length: int, operands: int, real: type) -> None:
    randoms = map(np.random.default_rng, range(operands))
    given: list[NDArray[Any]] = [random.uniform(-1, 1, (rows, length)).astype(real) for random in randoms]
    arrays = [*map(upload, given), upload(np.full(rows, np.nan, real))]
    sums = RowSums(GPU, DEVICE.queue, rows, length, operands, np.dtype(real).itemsize)
    assert sums.start(arrays)
    first = arrays[-1].get()
    exact = np.prod([each.astype(np.float64) for each in given], axis=0)
    bound = np.abs(exact).sum(axis=1) * np.finfo(real).eps * (length // STEP + 24)
    assert (np.abs(first - exact.sum(axis=1)) <= bound).all()
    assert sums.start(arrays)
    np.testing.assert_array_equal(arrays[-1].get(), first)


def test_arrays_that_it_cannot_take() -> None:
    sums = RowSums(GPU, DEVICE.queue, 1, 100, 1, 8)
    x, result = upload(np.ones(200)), upload(np.zeros(1))
    other = cl.CommandQueue(DEVICE.context, DEVICE.handle)
    assert not sums.start([x[100:], result])
    assert not sums.start([x.with_queue(other), result])
    assert sums.start([x, result])
    assert result.get() == 100


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("i->", (1, 5000)),
        ("i,i->", (1, 5000)),
        ("ij,ij->", (1, 5000 * 2000)),
        ("bi->b", (5000, 2000)),
        ("bci,bci->bc", (5000 * 2000, 3000)),
        ("bci->b", (5000, 2000 * 3000)),
        ("ij->j", None),
        ("ij,ji->", None),
        ("ii->", None),
        ("i,i,i->", None),
        ("i->i", None),
    ],
)
def test_which_strings_add_up_rows(text: str, rows: tuple[int, int] | None) -> None:
    sizes = dict(zip("bij", (5000, 5000, 2000), strict=True)) if "j" in text else {"b": 5000, "c": 2000, "i": 3000}
    sizes |= {"i": 5000} if text in ("i->", "i,i->", "ii->", "i,i,i->", "i->i") else {}
    sizes |= {"i": 2000} if text == "bi->b" else {}
    shapes = tuple(tuple(sizes[index] for index in term) for term in text.partition("->")[0].split(","))
    assert known_string(text, shapes).rows == rows


def test_a_call_on_a_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `ef.einsum` makes it there: in full, and then as one before."""
    memory = DeviceMemory(GPU, DEVICE.queue)
    monkeypatch.setattr(calls, "device_memory", lambda *_: memory)
    given = np.random.default_rng(0).random((7, 9000))
    x = upload(given)
    for _ in range(3):
        np.testing.assert_allclose(ef.einsum("bi,bi->b", x, x).get(), (given * given).sum(axis=1), rtol=1e-13)
        np.testing.assert_allclose(ef.einsum("bi->", x).get(), given.sum(), rtol=1e-13)
