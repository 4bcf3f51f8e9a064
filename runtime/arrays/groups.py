"""Groups on a device: an array of pointers, one for each member.

A device that follows any pointer gets the members where they lie, those in another layout as copies. A device with
coarse-grained shared memory gets one allocation that holds the pointers and copies of all members: because the pointers
lead into memory that is itself an argument, the driver knows all that the kernel can reach.
"""

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, Layout, run_time_values
from einsum_front.runtime.arrays.storage import ALIGNMENT, Fit, HostGroup, array_in, copy_back, copy_in, fit, fitted
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.facts import SharedMemory
from einsum_front.runtime.devices.opencl import KernelArg, cl, driver_errors

POINTER = np.dtype(np.uint64)


class HostGroupStorage:
    """A group for kernels that follow pointers of the process; members in another layout are copied.

    `tables` are the pointers, then every run-time size and stride, each with a number for each member.
    """

    def __init__(self, value: HostGroup) -> None:
        parameter = value.parameter
        self._callers = value.members
        self._fits = _fits(value)
        self.is_written = parameter.is_written
        self._hosts = [fitted(parameter, member, how) for member, how in zip(value.members, self._fits, strict=True)]
        pointers = np.array([host.ctypes.data for host in self._hosts], dtype=POINTER) - _offset(value)
        self.tables = (pointers, *_tables(value, [how.layout for how in self._fits]))

    @property
    def is_in_place(self) -> bool:
        """True if the kernel writes into memory of the caller."""
        pairs = zip(self._callers, self._hosts, strict=True)
        return self.is_written and any(host is caller for caller, host in pairs)

    def take(self) -> None:
        """Bring what the copied members hold now to where the kernel reads them."""
        for caller, host, how in zip(self._callers, self._hosts, self._fits, strict=True):
            if host is not caller:
                copy_in(host, caller, how.mask)

    def fetch(self) -> None:
        """Bring the results of copied members back; the kernel must have finished."""
        if self.is_written:
            for caller, host, how in zip(self._callers, self._hosts, self._fits, strict=True):
                if host is not caller:
                    copy_back(caller, host, how.mask)


class PointerStorage(HostGroupStorage):
    """A group on a device of OpenCL that follows any pointer of the process."""

    def __init__(self, value: HostGroup, place: Place) -> None:
        super().__init__(value)
        parameter = value.parameter
        with driver_errors("E0607", f"no memory for argument `{parameter.name}` on `{place.facts.name}`"):
            self.kernel_arguments = _arguments(value, [_buffer(table, place) for table in self.tables])

    def publish(self) -> None:
        """The host sees what the kernel writes."""


class SharedStorage:
    """A group on a device with coarse-grained shared memory."""

    is_in_place = False

    def __init__(self, value: HostGroup, place: Place) -> None:
        parameter = value.parameter
        self._value = value
        self._queue = place.queue
        self._fits = _fits(value)
        layouts = [how.declared for how in self._fits]
        *self._starts, size = _starts(value, layouts)
        self.is_written = parameter.is_written
        with driver_errors("E0607", f"no memory for argument `{parameter.name}` on `{place.facts.name}`"):
            # not bound to the queue: PoCL 3.0 corrupts its heap when a queue frees; a launch waits before it lets go
            self._shared = cl.SVMAllocation(place.context, size, ALIGNMENT, cl.svm_mem_flags.READ_WRITE)
            longs = [_buffer(table, place) for table in _tables(value, layouts)]
            self.take()
        self.kernel_arguments = _arguments(value, [self._shared, *longs])

    def take(self) -> None:
        """Bring what the members hold now, and the pointers to them, into the shared memory."""
        with self._shared.map_rw(self._queue) as memory:
            self._fill(memory)

    def _fill(self, memory: NDArray[np.uint8]) -> None:
        pointers = np.array(self._starts, dtype=POINTER) + POINTER.type(self._shared.svm_ptr) - _offset(self._value)
        memory[: pointers.nbytes] = pointers.view(np.uint8)
        for member, host, how in self._pairs(memory):
            copy_in(host, member, how.mask)

    def publish(self) -> None:
        """The memory is mapped where it is fetched."""

    def fetch(self) -> None:
        """Bring the results into the caller's arrays; the kernel must have finished."""
        if self.is_written:
            with self._shared.map_ro(self._queue) as memory:
                for member, host, how in self._pairs(memory):
                    copy_back(member, host, how.mask)

    def _pairs(self, memory: NDArray[np.uint8]) -> Iterator[tuple[NDArray[Any], NDArray[Any], Fit]]:
        """The caller's array and its copy in the shared memory, for each member."""
        for member, start, how in zip(self._value.members, self._starts, self._fits, strict=True):
            yield member, array_in(memory[start:], self._value.parameter.type, how.declared), how


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


def _fits(value: HostGroup) -> list[Fit]:
    """One for each member; members of one shape and strides, usually all, have the same."""
    known: dict[tuple[tuple[int, ...], tuple[int, ...], bool], Fit] = {}
    fits = []
    for member in value.members:
        key = (member.shape, member.strides, member.flags.aligned)
        if key not in known:
            known[key] = fit(value.parameter, member.shape, member.strides, allow_gaps=True, is_aligned=key[2])
        fits.append(known[key])
    return fits


def _starts(value: HostGroup, layouts: list[Layout]) -> list[int]:
    """Where each member begins, in bytes behind the start of the pointers, and where the last one ends."""
    itemsize = ELEMENT_TYPES[value.parameter.type].itemsize
    sizes = [len(layouts) * POINTER.itemsize, *(layout.span * itemsize for layout in layouts)]
    return list(accumulate(-(-size // ALIGNMENT) * ALIGNMENT for size in sizes))


def _offset(value: HostGroup) -> np.uint64:
    """Bytes that the kernel adds to each pointer before it finds the first entry."""
    return POINTER.type((value.parameter.offset or 0) * ELEMENT_TYPES[value.parameter.type].itemsize)


def _tables(value: HostGroup, layouts: list[Layout]) -> list[NDArray[np.int64]]:
    """For every run-time size and stride an array with one number for each member."""
    table = np.array([run_time_values(value.parameter, layout) for layout in layouts], dtype=np.int64)
    return [np.ascontiguousarray(column) for column in table.T]


def _arguments(value: HostGroup, memories: Sequence[KernelArg]) -> tuple[KernelArg, ...]:
    """Then the offset, if it is an argument: pointers lead to the first entries."""
    return (*memories, 0) if value.parameter.offset is None else tuple(memories)


def _buffer(numbers: NDArray[np.generic], place: Place) -> cl.Buffer:
    return cl.Buffer(place.context, cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR, hostbuf=numbers)
