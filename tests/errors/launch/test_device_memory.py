"""Memory of a device that was released, or is smaller than its array: nothing reads or writes there."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest
from pyopencl.tools import ImmediateAllocator, MemoryPool, PooledBuffer

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices.facts import SharedMemory
from tests.runtime.kernels import DEVICE, VOLUME, kernel, words

GOOD = {"dt": 1.0, "K": np.zeros((4, 5)), "I": np.zeros((2, 5, 3)), "Q": np.zeros((2, 4, 3))}
STRIDES = (96, 8, 32)
"""Those of two matrices of 4 rows and 3 columns, which need 192 bytes."""

HAS_SVM = pytest.mark.skipif(DEVICE.facts.shared_memory is SharedMemory.NONE, reason="the device has no shared memory")


def buffer(size: int) -> cl.Buffer:
    return cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, size)


def shared(size: int) -> cl.SVMAllocation:
    return cl.SVMAllocation(DEVICE.context, size, 64, cl.svm_mem_flags.READ_WRITE, DEVICE.queue)


def over(memory: Any, offset: int = 0, strides: tuple[int, ...] = STRIDES, batch: int = 2) -> cl_array.Array:
    array = cl_array.Array(DEVICE.queue, (batch, 4, 3), np.float64, data=memory, offset=offset, strides=strides)
    if isinstance(memory, cl.SVMAllocation):
        memory.unbind_from_queue()  # where a queue frees it, PoCL 3.0 reads the pointer after pyopencl has freed that
    return array


def said(call: Callable[[], object]) -> str:
    with pytest.raises(CompileError) as error:
        call()
    return str(error.value)


def at(start: int, stop: int, size: int, name: str = "argument `Q`") -> str:
    return f"error[E0519]: entries of {name} are at bytes {start} to {stop} of its memory, which has {size}"


def parts(size: int, start: int = 512) -> cl.Buffer:
    return buffer(4096).get_sub_region(start, size)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        pytest.param(lambda: over(buffer(8)), at(0, 192, 8), id="far too small"),
        pytest.param(lambda: over(buffer(191)), at(0, 192, 191), id="a byte too small"),
        pytest.param(lambda: over(buffer(600), 512), at(512, 704, 600), id="offset"),
        pytest.param(lambda: over(parts(184)), at(0, 192, 184), id="part of a buffer"),
        pytest.param(lambda: over(parts(600), 512), at(512, 704, 600), id="part and offset"),
        pytest.param(lambda: over(shared(8)), at(0, 192, 8), id="shared memory", marks=HAS_SVM),
    ],
)
def test_memory_that_is_too_small(make: Callable[[], cl_array.Array], message: str) -> None:
    assert words(kernel(VOLUME), **{**GOOD, "Q": make()}) == message
    assert said(lambda: kernel(VOLUME).prepare(**{**GOOD, "Q": make()})) == message


@pytest.mark.parametrize(
    "make",
    [
        lambda: over(buffer(192)),
        lambda: over(buffer(704), 512),
        lambda: over(parts(192)),
        lambda: over(parts(704), 512),
        pytest.param(lambda: over(shared(192)), marks=HAS_SVM),
    ],
)
def test_memory_that_is_just_large_enough(make: Callable[[], cl_array.Array]) -> None:
    array = make()
    called = kernel(VOLUME, base_alignment=64)
    called(**{**GOOD, "Q": array})
    assert ef.to_host(array).shape == (2, 4, 3)


def test_an_empty_batch_needs_no_memory() -> None:
    kernel(VOLUME)(**{**GOOD, "I": np.zeros((0, 5, 3)), "Q": over(buffer(8), batch=0)})


def test_a_call_like_one_that_was_right() -> None:
    called = kernel(VOLUME)
    called(**{**GOOD, "Q": over(buffer(192))})
    assert words(called, **{**GOOD, "Q": over(buffer(100))}) == at(0, 192, 100)


def test_einsum_and_to_host() -> None:
    backwards = over(buffer(192), 96, (-96, 8, 32))
    before = over(buffer(192), 0, (-96, 8, 32))
    ef.einsum("bij->ij", backwards)
    assert said(lambda: ef.einsum("bij->ij", before)) == at(-96, 96, 192, "operand 0")
    assert said(lambda: ef.einsum("bij->bij", backwards, out=over(buffer(8)))) == at(0, 192, 8, "`out`")
    assert said(lambda: ef.to_host(over(buffer(8)))) == at(0, 192, 8, "the array")


def pooled() -> cl_array.Array:
    return over(MemoryPool(ImmediateAllocator(DEVICE.queue)).allocate(192))


def release(array: cl_array.Array) -> None:
    """Give back the memory, whatever kind it is of."""
    memory = array.base_data
    assert isinstance(memory, cl.Buffer | PooledBuffer | cl.SVMAllocation)
    memory.release()


RELEASABLE = [
    pytest.param(lambda: over(buffer(192)), id="buffer"),
    pytest.param(lambda: over(parts(192)), id="part of a buffer"),
    pytest.param(pooled, id="pool"),
    pytest.param(lambda: over(shared(192)), id="shared memory", marks=HAS_SVM),
]


@pytest.mark.parametrize("make", RELEASABLE)
def test_memory_that_was_released(make: Callable[[], cl_array.Array]) -> None:
    array = make()
    called = kernel(VOLUME)
    called(**{**GOOD, "Q": array})
    release(array)
    text = "error[E0519]: the memory of {} was released"
    assert words(called, **{**GOOD, "Q": array}) == text.format("argument `Q`")
    assert said(lambda: called.prepare(**{**GOOD, "Q": array})) == text.format("argument `Q`")
    assert said(lambda: ef.to_host(array)) == text.format("the array")
    assert said(lambda: ef.einsum("bij->bj", array)) == text.format("operand 0")
    other = over(buffer(192))
    assert said(lambda: ef.einsum("bij->bij", other, out=array)) == text.format("`out`")


@pytest.mark.parametrize("make", RELEASABLE)
def test_memory_that_was_released_behind_the_back_of_a_launch(make: Callable[[], cl_array.Array]) -> None:
    array = make()
    launch = kernel(VOLUME).prepare(**{**GOOD, "Q": array})
    launch.run()
    launch.finish()
    release(array)
    note = "\n  = note: no output has changed"
    assert said(launch.run) == f"error[E0519]: the memory of argument `Q` was released{note}"
    launch.finish()


def test_a_buffer_that_was_released() -> None:
    memory = buffer(192)
    memory.release()
    assert words(kernel(VOLUME), **{**GOOD, "Q": memory}) == "error[E0519]: the memory of argument `Q` was released"


def test_releasing_twice_is_an_error_of_pyopencl_as_before() -> None:
    memory = buffer(192)
    memory.release()
    with pytest.raises(cl.LogicError, match="double-unref"):
        memory.release()
