"""Memory that is kept for results, and launches that nobody waits for."""

from itertools import pairwise
from typing import Any, cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
from numpy.typing import NDArray

from einsum_front.runtime.arrays import allocation
from einsum_front.runtime.arrays.allocation import QueueMemory, memory_for_results
from einsum_front.runtime.artifact import Artifact
from tests.runtime.kernels import DEVICE, VOLUME, kernel, tensor

BATCH = 12

TWICE = Artifact(
    "twice",
    """
kernel void twice(global double const* A, long batch_A, global double* C, long batch_C) {
  C[get_group_id(2)] = 2.0 * A[get_group_id(2)];
}
""",
    (tensor("A", (1,), "r"), tensor("C", (1,), "w")),
    (1, 1),
    0,
    needs_fp64=True,
)


def upload(array: NDArray[Any], memory: QueueMemory | None = None) -> cl_array.Array:
    return cl_array.to_device(DEVICE.queue, array, allocator=memory)


def memory_of(array: cl_array.Array) -> cl.Buffer:
    return cast("cl.Buffer", array.base_data)


def test_dropped_memory_serves_the_next_array() -> None:
    memory = QueueMemory(DEVICE.queue)
    first = cl_array.empty(DEVICE.queue, (100,), np.float64, allocator=memory)
    place = memory_of(first).int_ptr
    del first
    assert memory_of(cl_array.empty(DEVICE.queue, (100,), np.float64, allocator=memory)).int_ptr == place


def test_large_arrays_and_much_memory_are_not_kept() -> None:
    memory = QueueMemory(DEVICE.queue)
    assert type(memory(memory.largest + 1)) is cl.Buffer
    held = [memory(memory.largest) for _ in range(allocation.LARGEST + 1)]
    held.clear()
    memory(8)
    assert memory._pool.managed_bytes - memory._pool.active_bytes <= memory.most_kept


def test_queues_without_order_keep_none() -> None:
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    assert memory_for_results(cl.CommandQueue(DEVICE.context, DEVICE.handle, properties)) is None
    assert (memory_for_results(DEVICE.queue) is None) == DEVICE.facts.is_cpu
    for _ in range(2 * allocation.MOST_QUEUES):
        memory_for_results(cl.CommandQueue(DEVICE.context, DEVICE.handle))
    assert len(allocation._MEMORIES) <= allocation.MOST_QUEUES


def test_a_view_of_pooled_memory_is_an_argument() -> None:
    memory, part = QueueMemory(DEVICE.queue), DEVICE.facts.base_alignment // 8  # elements have multiples of 8 bytes
    batch = part + 5
    K, rows, Q = np.random.default_rng(0).random((4, 5)), np.ones((batch, 5, 3)), np.zeros((batch, 4, 3))
    k, i, q = upload(np.asfortranarray(K)), kernel(VOLUME).to_device("I", rows), kernel(VOLUME).to_device("Q", Q)
    pooled = cl_array.Array(DEVICE.queue, q.shape, q.dtype, strides=q.strides, data=memory(q.nbytes))
    cl.enqueue_copy(DEVICE.queue, memory_of(pooled), memory_of(q), byte_count=q.nbytes)
    kernel(VOLUME)(dt=1.0, K=k, I=i[part:], Q=pooled[part:])
    found = np.empty(q.nbytes // 8)
    cl.enqueue_copy(DEVICE.queue, found, memory_of(pooled))
    want = np.concatenate([Q[:part], Q[part:] + K @ rows[part:]])
    np.testing.assert_allclose(found.reshape(batch, 3, 4).transpose(0, 2, 1), want, rtol=1e-13)


def test_what_is_started_ends_in_the_order_of_the_queue() -> None:
    twice = kernel(TWICE, shares_host_memory=False)
    arrays = [upload(np.full((BATCH, 1), float(n == 0))) for n in range(40)]
    twice(A=arrays[0], C=arrays[1])  # drivers load at a first launch, which has more to do
    direct = twice.direct(A=arrays[0], C=arrays[1])
    assert direct is not None
    for each in arrays:
        each.events.clear()
    for source, target in pairwise(arrays):
        assert direct.start([source, target])
    assert all(len(each.events) == 1 for each in arrays[2:]), "`finish()` of an array waits for it"
    np.testing.assert_array_equal(arrays[-1].get(), 2.0**39)
    memory_of(arrays[1]).release()
    assert not direct.start(arrays[:2])
