"""Groups on a device: an array of pointers, one for each member.

A device that follows any pointer gets the members where they lie, those in another layout as copies. A device with
coarse-grained shared memory gets one allocation that holds the pointers and copies of all members: because the pointers
lead into memory that is itself an argument, the driver knows all that the kernel can reach.
"""

from itertools import accumulate

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray
from pyopencl.typing import KernelArg

from runtime.batch import Place, in_layout
from runtime.errors import driver_errors, failure
from runtime.facts import SharedMemory
from runtime.layout import ELEMENT_TYPES, Layout, declared_layout, nonzero_mask, run_time_values
from runtime.storage import ALIGNMENT, array_in, copy_back, copy_in
from runtime.values import HostGroup

POINTER = np.dtype(np.uint64)


class PointerStorage:
    """A group on a device that follows any pointer of the process."""

    def __init__(self, value: HostGroup, place: Place) -> None:
        parameter = value.parameter
        self._callers = value.members
        self._hosts = [in_layout(parameter, member, allow_gaps=True) for member in value.members]
        self.is_written = parameter.is_written
        pointers = np.array([host.ctypes.data for host, _, _ in self._hosts], dtype=POINTER) - _offset(value)
        with driver_errors("E0607", f"no memory for argument `{parameter.name}` on `{place.facts.name}`"):
            self.kernel_arguments: tuple[KernelArg, ...] = (
                _buffer(pointers, place),
                *_long_arrays(value, [layout for _, layout, _ in self._hosts], place),
            )

    @property
    def is_in_place(self) -> bool:
        """Whether the kernel writes into memory of the caller."""
        pairs = zip(self._callers, self._hosts, strict=True)
        return self.is_written and any(host is caller for caller, (host, _, _) in pairs)

    def fetch(self) -> None:
        """Bring the results of copied members back; the kernel must have finished."""
        if self.is_written:
            for caller, (host, _, mask) in zip(self._callers, self._hosts, strict=True):
                if host is not caller:
                    copy_back(caller, host, mask)


class SharedStorage:
    """A group on a device with coarse-grained shared memory."""

    is_in_place = False

    def __init__(self, value: HostGroup, place: Place) -> None:
        parameter = value.parameter
        self._value = value
        self._queue = place.queue
        self._layouts = [declared_layout(parameter, member.shape) for member in value.members]
        *self._starts, size = _starts(value, self._layouts)
        self.is_written = parameter.is_written
        with driver_errors("E0607", f"no memory for argument `{parameter.name}` on `{place.facts.name}`"):
            # not bound to the queue: PoCL 3.0 corrupts its heap when a queue frees; a launch waits before it lets go
            self._shared = cl.SVMAllocation(place.context, size, ALIGNMENT, cl.svm_mem_flags.READ_WRITE)
            longs = _long_arrays(value, self._layouts, place)
        self._fill()
        self.kernel_arguments: tuple[KernelArg, ...] = (self._shared, *longs)

    def _fill(self) -> None:
        parameter = self._value.parameter
        with self._shared.map_rw(self._queue) as memory:
            pointers = np.array(self._starts, dtype=POINTER) + POINTER.type(self._shared.svm_ptr) - _offset(self._value)
            memory[: pointers.nbytes] = pointers.view(np.uint8)
            for member, layout, start in zip(self._value.members, self._layouts, self._starts, strict=True):
                target = array_in(memory[start:], parameter.type, layout)
                copy_in(target, member, nonzero_mask(parameter, layout))

    def fetch(self) -> None:
        """Bring the results into the caller's arrays; the kernel must have finished."""
        parameter = self._value.parameter
        if parameter.is_written:
            with self._shared.map_ro(self._queue) as memory:
                for member, layout, start in zip(self._value.members, self._layouts, self._starts, strict=True):
                    source = array_in(memory[start:], parameter.type, layout)
                    copy_back(member, source, nonzero_mask(parameter, layout))


def group_storage(value: HostGroup, place: Place) -> PointerStorage | SharedStorage:
    """A group as the device can have it; raises CompileError if the device has no shared memory."""
    match place.facts.shared_memory:
        case SharedMemory.ALL:
            return PointerStorage(value, place)
        case SharedMemory.ALLOCATED:
            return SharedStorage(value, place)
        case SharedMemory.NONE:
            raise failure(
                "E0606",
                f"`{place.facts.name}` has no shared virtual memory, so it cannot follow the pointers of group"
                f" `{value.parameter.name}`",
                ("a batched tensor, whose elements lie at a fixed distance, needs none",),
            )


def _starts(value: HostGroup, layouts: list[Layout]) -> list[int]:
    """Where each member begins, in bytes behind the start of the pointers, and where the last one ends."""
    itemsize = ELEMENT_TYPES[value.parameter.type].itemsize
    sizes = [len(layouts) * POINTER.itemsize, *(layout.span * itemsize for layout in layouts)]
    return list(accumulate(-(-size // ALIGNMENT) * ALIGNMENT for size in sizes))


def _offset(value: HostGroup) -> np.uint64:
    """Bytes that the kernel adds to each pointer before it finds the first entry."""
    return POINTER.type((value.parameter.offset or 0) * ELEMENT_TYPES[value.parameter.type].itemsize)


def _long_arrays(value: HostGroup, layouts: list[Layout], place: Place) -> list[KernelArg]:
    """For every run-time size and stride an array with one number for each member, then the offset if it is one."""
    table = np.array([run_time_values(value.parameter, layout) for layout in layouts], dtype=np.int64)
    arrays: list[KernelArg] = [_buffer(np.ascontiguousarray(column), place) for column in table.T]
    return [*arrays, np.int64(0)] if value.parameter.offset is None else arrays


def _buffer(numbers: NDArray[np.generic], place: Place) -> cl.Buffer:
    return cl.Buffer(place.context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
