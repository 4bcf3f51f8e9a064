"""Arrays of every layout go to a device with memory of its own and come back, block by block."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime import Kernel
from einsum_front.runtime.arrays import bus, storage
from einsum_front.runtime.arrays.bus import blocks, bus_of, share_out
from einsum_front.runtime.arrays.page_locked import is_locked, locked_bytes
from einsum_front.runtime.arrays.storage import host_array
from tests.runtime.kernels import DEVICE, VOLUME, kernel, tensor
from tests.runtime.test_launch import LAYOUTS, expected, matrices

Array = NDArray[Any]
SHAPE = (7, 6, 5)


def _unaligned(array: Array) -> Array:
    memory = np.zeros(array.nbytes + 1, np.uint8)
    view: Array = memory[1:].view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


def _page_locked(array: Array) -> Array:
    view: Array = locked_bytes(array.nbytes, DEVICE.context, DEVICE.handle).view(array.dtype).reshape(array.shape)
    view[...] = array
    return view


ORDERS: dict[str, Callable[[Array], Array]] = {
    "C": np.ascontiguousarray,
    "F": np.asfortranarray,
    "gaps": lambda array: np.repeat(array, 2, axis=2)[:, :, ::2],
    "backwards": lambda array: array[::-1].copy()[::-1],
    "among": lambda array: np.ascontiguousarray(array.transpose(1, 0, 2)).transpose(1, 0, 2),
    "unaligned": _unaligned,
    "page-locked": _page_locked,
}


@pytest.fixture(params=[2**22, 1000, 80, 8], ids=lambda size: f"slots of {size} bytes")
def small_slots(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    size: int = request.param
    monkeypatch.setattr(bus, "SLOT", size)
    monkeypatch.setattr(bus, "_BUSES", {})
    return size


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("nonzeros", [None, ((0, 3), (5, 9), (12, 20), (21, 30))], ids=["all", "zeros"])
def test_entries_go_there_and_come_back(small_slots: int, order: str, nonzeros: Any) -> None:
    given = ORDERS[order](np.random.default_rng(0).random(SHAPE))
    parameter = replace(tensor("A", SHAPE[1:], "rw"), nonzeros=nonzeros)
    value = host_array(parameter, given, allow_gaps=False)
    found = list(blocks(given, value.fit, DEVICE.context))
    assert sum(each.host.size for each in found) == given.size
    assert all(each.nbytes <= small_slots or each.is_direct for each in found)
    here = bus_of(DEVICE.context, DEVICE.handle)
    buffer = cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, value.fit.layout.span * 8)
    here.carry_in(buffer, given, value.fit)
    back = ORDERS[order](np.full(SHAPE, -1.0))
    here.carry_out(back, buffer, host_array(parameter, back, allow_gaps=False).fit)
    mask = value.fit.mask
    np.testing.assert_array_equal(back, given if mask is None else np.where(mask, given, -1.0))


def test_gaps_of_a_declared_layout_are_zero_on_the_device(small_slots: int) -> None:
    padded = replace(tensor("A", (3, 2), "r"), strides=(1, 4, 10))
    artifact = replace(VOLUME, parameters=(padded,))
    there = kernel(artifact).to_device("A", np.ones((4, 3, 2)))
    memory = np.full(37, np.nan)
    cl.enqueue_copy(DEVICE.queue, memory, there.base_data)  # type: ignore[arg-type] # a buffer
    ones = [place + 4 * column + 10 * element for element in range(4) for column in range(2) for place in range(3)]
    assert set(np.flatnonzero(memory)) == set(ones)
    np.testing.assert_array_equal(ef.to_host(there), 1.0)


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("batch", [1, 37])
def test_a_batch_in_parts(small_slots: int, layout: str, batch: int) -> None:
    given = {name: LAYOUTS[layout](array) if name != "K" else array for name, array in matrices(batch).items()}
    want = expected(given, 0.5)
    kernel(VOLUME, shares_host_memory=False)(dt=0.5, **given)
    np.testing.assert_array_equal(given["Q"], want)


def test_page_locked_arrays_are_used_as_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    given = {name: _locked_in_column_major(array) if name != "K" else array for name, array in matrices(40).items()}
    want = expected(given, 0.5)
    monkeypatch.setattr(bus, "copy_in", None)
    monkeypatch.setattr(bus, "copy_back", None)
    with pytest.raises(TypeError):
        kernel(VOLUME, shares_host_memory=False)(dt=0.5, **given)  # a constant that is not page-locked
    given["K"] = _locked_in_column_major(given["K"])
    kernel(VOLUME, shares_host_memory=False)(dt=0.5, **given)
    np.testing.assert_array_equal(given["Q"], want)


def _locked_in_column_major(array: Array) -> Array:
    lying = np.moveaxis(array, -1, -2)
    return np.moveaxis(_page_locked(np.ascontiguousarray(lying)), -1, -2)


def test_what_is_overwritten_is_not_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "tensor K[4,4] constant\ntensor I[4,3]\ntensor Q[4,3]\nkernel k { Q[i,j] = K[i,k] * I[k,j] }"
    volume = ef.compile(ef.parse(text))["k"]
    assert volume.overwritten == {"Q"}
    assert volume._kernel.overwritten == {"Q"}
    device = replace(DEVICE, facts=replace(DEVICE.facts, shares_host_memory=False))
    here = Kernel(volume.artifact, device, overwritten=volume.overwritten)
    sent: list[Array] = []

    def copy_in(to: Array, array: Array, mask: Array | None) -> None:
        sent.append(array)
        storage.copy_in(to, array, mask)

    monkeypatch.setattr(bus, "copy_in", copy_in)
    K, rows, Q = np.ones((4, 4)), np.ones((50, 4, 3)), np.full((50, 4, 3), np.nan)
    here(K=K, I=rows, Q=Q)
    np.testing.assert_array_equal(Q, 4.0)
    assert not any(np.isnan(each).any() for each in sent)


def test_a_mistake_in_one_thread_ends_all() -> None:
    begun: list[int] = []

    def work(next_item: Callable[[], int | None]) -> None:
        while (item := next_item()) is not None:
            begun.append(item)
            if item == 3:
                raise CompileError([])

    with pytest.raises(CompileError):
        share_out(work, range(10_000), 4)
    assert len(begun) < 10_000


def test_lent_memory_comes_back_with_its_last_view() -> None:
    here = bus.Bus(DEVICE.context, DEVICE.handle)
    memory = here.kept_bytes(100)
    view = memory[10:].view()[::2]
    assert is_locked(view, DEVICE.context)
    place = memory.ctypes.data
    del memory
    assert here.take_slot().host.ctypes.data != place
    del view
    assert here.take_slot().host.ctypes.data == place
    assert is_locked(here.kept_bytes(bus.SLOT + 1), DEVICE.context)


def test_empty_pinned() -> None:
    array = ef.empty_pinned((3, 4), np.float32)
    assert (array.shape, array.dtype.name, array.flags.c_contiguous) == ((3, 4), "float32", True)
    assert is_locked(array, DEVICE.context) == (not DEVICE.facts.shares_host_memory)
    assert ef.empty_pinned(0).shape == (0,)
    assert ef.empty_pinned(3, device="c").dtype == np.float64
    with pytest.raises(CompileError, match=r"E0602"):
        ef.empty_pinned(3, device="nothing of this name")
