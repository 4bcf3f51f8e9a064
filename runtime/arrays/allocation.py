"""Whether memory of a device is still there, and holds the entries that an array claims to have in it.

pyopencl has arrays over any buffer, whatever its size, and does not say of a buffer that it was released. A question to
the driver about one that was can crash the process. So this module notes releases: it wraps the methods of pyopencl
that release memory, which do what they did before.
"""

from collections import OrderedDict
from collections.abc import Callable
from contextlib import suppress
from functools import wraps
from threading import RLock
from typing import Any

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.runtime.arrays.overlap import byte_range
from einsum_front.runtime.devices.opencl import Array, ImmediateAllocator, MemoryPool, PooledBuffer, PooledSVM, cl

Allocation = cl.MemoryObjectHolder | cl.SVMPointer
"""Memory of a device as pyopencl has it."""

_MARK = "_einsum_front_was_released"


def _noting(release: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(release)
    def release_and_note(memory: Allocation, *arguments: Any, **keywords: Any) -> Any:
        result = release(memory, *arguments, **keywords)
        with suppress(AttributeError):  # versions of pyopencl differ in which objects have room for it
            setattr(memory, _MARK, True)
        return result

    return release_and_note


for _kind, _method in (
    (cl.MemoryObject, "release"),
    (PooledBuffer, "release"),
    (PooledSVM, "release"),
    (PooledSVM, "enqueue_release"),
):
    setattr(_kind, _method, _noting(getattr(_kind, _method)))


def was_released(memory: Allocation | None) -> bool:
    """True if nothing may be asked of the memory any more."""
    if isinstance(memory, cl.SVMAllocation) and memory.svm_ptr == 0:
        return True
    return hasattr(memory, _MARK)


def release_mistake(name: str, memory: Allocation | None) -> Diagnostic | None:
    """The memory of `name` was released."""
    return Diagnostic("E0519", f"the memory of {name} was released") if was_released(memory) else None


def size_mistake(name: str, memory: Allocation | None, start: int, stop: int) -> Diagnostic | None:
    """Bytes from `start` to `stop`, not included, are not all in the memory, which was not released."""
    size = None if memory is None else memory.size
    if size is None or start == stop or (start >= 0 and stop <= size):
        return None
    return Diagnostic("E0519", f"entries of {name} are at bytes {start} to {stop} of its memory, which has {size}")


def array_mistake(name: str, array: Array) -> Diagnostic | None:
    """Either of a pyopencl array of any strides."""
    released = release_mistake(name, array.base_data)
    if released is not None or array.size == 0:
        return released
    return size_mistake(
        name, array.base_data, *byte_range(array.offset, array.shape, array.strides, array.dtype.itemsize)
    )


# -- memory for results on devices of their own, kept for the results to come ------------------------------------------
# A driver takes long to make some. A small buffer takes an NVIDIA H100 4 microseconds, one of a megabyte 60; one of 134
# megabytes takes an H200 longer than a kernel takes to fill it. What a dropped result leaves is given to the next one
# of the same queue, whose kernels run after those that still use it.

MOST_KEPT = 2**30
"""Bytes of a queue that nobody uses, at most: no more than a sixteenth of the device's memory."""

LARGEST = 4
"""A buffer that is kept has at most this part of what may be kept."""

MOST_QUEUES = 16
"""Queues with memory: a program that makes one for each call has none of it kept for long."""


class QueueMemory:
    """An allocator, as pyopencl's arrays take one: buffers that are used in one queue, which keeps the order."""

    def __init__(self, queue: cl.CommandQueue) -> None:
        self._context = queue.context
        self._pool = MemoryPool(ImmediateAllocator(queue))
        self._lock = RLock()
        self.most_kept = min(MOST_KEPT, queue.device.global_mem_size // 16)
        self.largest = self.most_kept // LARGEST

    def __call__(self, size: int) -> "cl.Buffer | PooledBuffer":
        """Memory of so many bytes, its contents arbitrary."""
        if size > self.largest:
            return cl.Buffer(self._context, cl.mem_flags.READ_WRITE, size)
        with self._lock:
            if self._pool.managed_bytes - self._pool.active_bytes > self.most_kept:
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
