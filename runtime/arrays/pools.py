"""Memory for results on devices of their own, kept for the results to come: a driver takes long to make some.

A small buffer takes an NVIDIA H100 4 microseconds, one of a megabyte 60. What a dropped result leaves is given to the
next one of the same queue, whose kernels run after those that still use it.
"""

from collections import OrderedDict
from threading import RLock

from einsum_front.runtime.devices.opencl import ImmediateAllocator, MemoryPool, PooledBuffer, cl

MOST_BYTES = 2**26
"""Of a buffer that is kept: to make a larger one is short beside what fills it."""

MOST_KEPT = 2**28
"""Bytes of a queue that nobody uses, at most."""

MOST_QUEUES = 16
"""Queues with memory: a program that makes one for each call has none of it kept for long."""


class QueueMemory:
    """An allocator, as pyopencl's arrays take one: buffers that are used in one queue, which keeps the order."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._context = queue.context
        self._pool = MemoryPool(ImmediateAllocator(queue))
        self._lock = RLock()

    def __call__(self, size: int) -> "cl.Buffer | PooledBuffer":
        """Memory of so many bytes, its contents arbitrary."""
        if size > MOST_BYTES:
            return cl.Buffer(self._context, cl.mem_flags.READ_WRITE, size)
        with self._lock:
            if self._pool.managed_bytes - self._pool.active_bytes > MOST_KEPT:
                self._pool.free_held()
            return self._pool.allocate(size)


_MEMORIES: OrderedDict[cl.CommandQueue, QueueMemory] = OrderedDict()


def memory_for_results(queue: cl.CommandQueue) -> QueueMemory | None:
    """What is kept for the queue; None where a driver of the processor has memory at once, or queues keep no order."""
    found = _MEMORIES.get(queue)
    if found is None:
        in_order = not queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        if not in_order or queue.device.type == cl.device_type.CPU:
            return None
        found = _MEMORIES[queue] = QueueMemory(queue)
        while len(_MEMORIES) > MOST_QUEUES:
            _MEMORIES.popitem(last=False)
    return found
