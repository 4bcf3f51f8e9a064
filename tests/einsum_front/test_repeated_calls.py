"""Calls like one before take a short way: with the same results, for other arrays, and only if they are alike."""

from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from typing import Any

import numpy as np
import pyopencl as cl
import pytest
from pyopencl.array import Array, to_device

import einsum_front as ef
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices.device import find_device

RANDOM = np.random.default_rng(5)
DEVICE = find_device()
FACTS = DEVICE.facts

needs_host_memory = pytest.mark.skipif(
    not (FACTS.shares_host_memory and FACTS.driver.works_in_host_memory), reason="the device copies arrays of the host"
)


@pytest.fixture
def watched(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The strings of the calls that took the long way."""
    module = import_module("einsum_front.index_string.contract")
    strings, contract = [], module.contract

    def watch(known: Any, *others: object) -> None:
        strings.append(known.string.kernel.origin[0].source.text)
        contract(known, *others)

    for each in (module, import_module("einsum_front.index_string.call")):
        monkeypatch.setattr(each, "contract", watch)
    return strings


@needs_host_memory
@pytest.mark.parametrize(
    ("subscripts", "shapes"),
    [
        ("bik,kj->bij", [(11, 3, 5), (5, 7)]),
        ("i,i->", [(9,), (9,)]),
        ("ij,jk,kl->il", [(3, 4), (4, 5), (5, 6)]),
        ("bij->bji", [(4, 3, 2)]),
    ],
)
@pytest.mark.parametrize("kind", [np.float32, np.float64])
def test_the_second_call_is_short(
    subscripts: str, shapes: list[tuple[int, ...]], kind: type[np.floating[Any]], watched: list[str]
) -> None:
    results = []
    for call in range(3):
        operands = [RANDOM.random(shape).astype(kind) for shape in shapes]
        result = ef.einsum(subscripts, *operands)
        expected = np.einsum(subscripts, *operands)
        assert type(result) is type(expected)
        np.testing.assert_allclose(result, expected, rtol=1e-5 if kind is np.float32 else 1e-12)
        results.append(result)
        if call == 0:
            watched.clear()
    assert watched == []
    assert len({id(result) for result in results}) == 3


def test_calls_that_differ_in_anything_are_others() -> None:
    left, right = RANDOM.random((6, 4, 4)), RANDOM.random((4, 4))
    expected = np.einsum("bik,kj->bij", left, right)
    for _ in range(2):
        np.testing.assert_allclose(ef.einsum("bik,kj->bij", left, right), expected)
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", left, right.T), left @ right.T)
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", left[::2], right), left[::2] @ right)
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", left[::-1], right), left[::-1] @ right)
    np.testing.assert_allclose(ef.einsum("bki,kj->bij", left, right), left.transpose(0, 2, 1) @ right)
    assert ef.einsum("bik,kj->bij", left, right.astype(np.float32)).dtype == np.float64
    assert ef.einsum("bik,kj->bij", left, right, dtype=np.float32, casting="unsafe").dtype == np.float32
    unaligned = np.frombuffer(b"\0" + right.tobytes(), np.uint8)[1:].view(np.float64).reshape(4, 4)
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", left, unaligned), expected)
    masked = np.ma.MaskedArray(left, mask=left > 2)
    np.testing.assert_allclose(ef.einsum("bik,kj->bij", masked, right), expected)
    with pytest.raises(CompileError, match="there is no schedule"):
        ef.einsum("bik,kj->bij", left, right, schedule="none")
    repeated = np.broadcast_to(right[:1, :1], (4, 4))
    for _ in range(2):
        np.testing.assert_allclose(ef.einsum("bik,kj->bij", left, repeated), left @ repeated)


def test_threads_have_kernel_objects_of_their_own() -> None:
    operands = [(np.full((50, 4, 4), float(n)), np.eye(4)) for n in range(40)]

    def call(number: int) -> bool:
        left, right = operands[number % len(operands)]
        return bool((ef.einsum("bik,kj->bij", left, right) == number % len(operands)).all())

    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(call, range(400)))


def test_arrays_of_a_device_take_the_short_way_too(watched: list[str]) -> None:
    left, right = on_device(RANDOM.random((6, 4, 4))), on_device(RANDOM.random((4, 4)))
    expected = np.einsum("bik,kj->bij", left.get(), right.get())
    results = [ef.einsum("bik,kj->bij", left, right) for _ in range(3)]
    assert len(watched) == 1
    for result in results:
        assert isinstance(result, Array)
        np.testing.assert_allclose(result.get(), expected)
    assert len({result.base_data.int_ptr for result in results}) == 3  # type: ignore[union-attr]


def test_arrays_of_a_device_that_differ_in_anything_are_others(watched: list[str]) -> None:
    left, right = RANDOM.random((6, 4, 4)), RANDOM.random((4, 4))
    whole = on_device(RANDOM.random((12, 4, 4)))
    for _ in range(2):
        for operand in (on_device(left), whole[6:], whole[::2], on_device(left.transpose(0, 2, 1).copy())):
            result = ef.einsum("bik,kj->bij", operand, on_device(right))
            np.testing.assert_allclose(result.get(), ef.to_host(operand) @ right)
    queue = cl.CommandQueue(DEVICE.context, DEVICE.handle)
    elsewhere = on_device(left).with_queue(queue)
    assert ef.einsum("bik,kj->bij", elsewhere, on_device(right).with_queue(queue)).queue == queue
    watched.clear()
    ef.einsum("bik,kj->bij", elsewhere, on_device(right).with_queue(queue))
    assert watched == []


def test_released_and_short_memory_is_told_in_a_repeated_call() -> None:
    left, right = on_device(RANDOM.random((6, 4, 4))), on_device(RANDOM.random((4, 4)))
    ef.einsum("bik,kj->bij", left, right)
    short = cl.Buffer(DEVICE.context, cl.mem_flags.READ_WRITE, 8 * 90)
    beyond = Array(DEVICE.queue, (6, 4, 4), np.dtype(float), data=short)
    with pytest.raises(CompileError, match="of its memory, which has 720"):
        ef.einsum("bik,kj->bij", beyond, right)
    left.base_data.release()  # type: ignore[union-attr]
    with pytest.raises(CompileError, match="was released"):
        ef.einsum("bik,kj->bij", left, right)


def test_a_kernel_sees_shared_memory_of_a_device_in_a_repeated_call() -> None:
    kernel = ef.compile(ef.parse("tensor A[4,4] row_major tensor B[4,4] row_major kernel k { B[ij] = 2 * A[ji] }"))["k"]
    source, target = on_device(RANDOM.random((6, 4, 4))), on_device(np.zeros((6, 4, 4)))
    for _ in range(3):
        kernel(A=source, B=target)
        np.testing.assert_allclose(target.get(), 2 * source.get().transpose(0, 2, 1))
        target.set(np.zeros((6, 4, 4)))
    with pytest.raises(CompileError, match="share memory"):
        kernel(A=source, B=source)


def on_device(array: np.ndarray[Any, Any]) -> Array:
    return to_device(DEVICE.queue, array)
