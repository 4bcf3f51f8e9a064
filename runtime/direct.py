"""Calls with nothing left to check, copy or compile: memory as it lies, one launch, and its end.

What decides how arrays come to a kernel is found out by the first call of its kind (`calls`, `bound`). A call like it
takes as long as the driver, but for some microseconds: the buffer of each array is set, and the kernel started. Where
the device works in the memory of the host, a buffer is made of each of NumPy's arrays.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pyopencl as cl

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.runtime.allocation import was_released
from einsum_front.runtime.arguments import Arguments
from einsum_front.runtime.artifact import Artifact, ScalarParameter
from einsum_front.runtime.batch import Place
from einsum_front.runtime.build import KernelPool
from einsum_front.runtime.describe import quoted
from einsum_front.runtime.errors import driver_failure
from einsum_front.runtime.forked import use_drivers
from einsum_front.runtime.layout import run_time_values
from einsum_front.runtime.overlap import device_place
from einsum_front.runtime.scalars import check_scalar
from einsum_front.runtime.signature import arguments_of, counts_elements
from einsum_front.runtime.values import DeviceArray, HostArray, ScalarValue

READ = cl.mem_flags.READ_ONLY | cl.mem_flags.USE_HOST_PTR
WRITE = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR


@dataclass(frozen=True, slots=True)
class _OnHost:
    """An array of NumPy among the arguments of a kernel: the axes from the slowest to the fastest.

    `row` is None if that is the order of the array.
    """

    name: str
    position: int
    is_written: bool
    row: tuple[int, ...] | None

    def memory(self, array: Any, place: Place) -> cl.Buffer:
        """A buffer over the entries, which the caller keeps until the kernel has ended."""
        lying = array if self.row is None else array.transpose(self.row).reshape(-1)
        return cl.Buffer(place.context, WRITE if self.is_written else READ, 0, lying)

    def is_apart(self, array: Any, other: Any) -> bool:
        """True if the extents of two arrays in memory do not meet."""
        return not np.may_share_memory(array, other)


@dataclass(frozen=True, slots=True)
class _OnDevice:
    """An array of pyopencl among the arguments of a kernel, which begins its buffer and needs so many bytes of it."""

    name: str
    position: int
    is_written: bool
    nbytes: int

    def memory(self, array: Any, place: Place) -> cl.Buffer | None:
        """The buffer; None if it was released or is too small, or if the array is in use in another queue."""
        memory = array.base_data
        if not isinstance(memory, cl.MemoryObjectHolder) or was_released(memory) or memory.size < self.nbytes:
            return None
        is_elsewhere = array.queue is not None and array.queue != place.queue
        # every kind of memory object can be an argument; the type of pyopencl's arguments names buffers only
        return None if is_elsewhere else cast("cl.Buffer", memory)

    def is_apart(self, array: Any, other: Any) -> bool:
        """True if two arrays are in different buffers, which still are there."""
        memories = array.base_data, other.base_data
        if any(memory is None or was_released(memory) for memory in memories):
            return False
        one, another = (device_place(cast("cl.MemoryObjectHolder", memory), 0)[0] for memory in memories)
        return one != another


@dataclass(frozen=True, slots=True, eq=False)
class Direct:
    """Launches of a kernel for arrays of certain shapes and strides; `numbers` are set once, scalars in each call."""

    artifact: Artifact
    place: Place
    pool: KernelPool
    memories: tuple[_OnHost | _OnDevice, ...]
    scalars: tuple[tuple[int, ScalarParameter], ...]
    numbers: tuple[tuple[int, np.int64], ...]
    work_groups: int
    idle: list[cl.Kernel] = field(default_factory=list)

    def call(self, arguments: Mapping[str, object]) -> bool:
        """`run` for arguments by name that look like those of the first call.

        False as well if something is wrong that a look does not tell: numbers, and memory that arrays share.
        """
        arrays = [arguments[memory.name] for memory in self.memories]
        for place, memory in enumerate(self.memories):
            if memory.is_written:
                for other, array in enumerate(arrays):
                    if other != place and not memory.is_apart(arrays[place], array):
                        return False
        scalars = []
        for _, parameter in self.scalars:
            scalar = check_scalar(parameter, arguments[parameter.name])
            if isinstance(scalar, Diagnostic):
                return False
            scalars.append(scalar.value)
        return self.run(arrays, scalars)

    def run(self, arrays: Sequence[object], scalars: Sequence[np.generic] = ()) -> bool:
        """Runs the kernel and waits; False if the arrays cannot be used, or the driver does not start it.

        Then nothing has changed. Arrays and scalars are in the order of the parameters. Raises CompileError (E0608) if
        the device fails.
        """
        use_drivers()
        place, kernel, (m, n) = self.place, self._kernel(), self.artifact.work_group_size
        buffers = []
        try:
            try:
                for each, array in zip(self.memories, arrays, strict=True):
                    memory = each.memory(array, place)
                    if memory is None:
                        self.idle.append(kernel)
                        return False
                    buffers.append(memory)
                    kernel.set_arg(each.position, memory)
                for (position, _), number in zip(self.scalars, scalars, strict=True):
                    kernel.set_arg(position, number)
                cl.enqueue_nd_range_kernel(place.queue, kernel, (m, n, self.work_groups), (m, n, 1))
            except cl.Error:
                return False
            try:
                place.queue.finish()
            except cl.Error as error:
                raise self._failed(error) from None
        except BaseException:
            with suppress(cl.Error):
                place.queue.finish()  # the memory is the caller's, who may free it now
            raise
        self.idle.append(kernel)
        return True

    def _kernel(self) -> cl.Kernel:
        """A kernel object that no other thread uses, its numbers set."""
        try:
            return self.idle.pop()
        except IndexError:
            kernel = self.pool.take()
            for position, number in self.numbers:
                kernel.set_arg(position, number)
            return kernel

    def _failed(self, error: cl.Error) -> CompileError:
        written = [each.name for each in self.artifact.parameters if getattr(each, "is_written", False)]
        note = f"the contents of {quoted(sorted(written))} are lost"
        return driver_failure("E0608", f"`{self.artifact.name}` failed on `{self.place.facts.name}`", error, (note,))


def direct(artifact: Artifact, place: Place, pool: KernelPool, arguments: Arguments) -> Direct | None:
    """Launches for calls with arrays like these; None if something has to be copied, computed or loaded before."""
    if artifact.prologue is not None or artifact.scratch or not arguments.groups or _is_out_of_order(place):
        return None
    work_groups = -(-arguments.groups // artifact.elements_per_group) * artifact.groups_per_element
    if pool.loads_for(work_groups):
        return None
    on_host: list[_OnHost] = []
    on_device: list[_OnDevice] = []
    scalars: list[tuple[int, ScalarParameter]] = []
    numbers: list[tuple[int, np.int64]] = []
    position = 0
    for value in arguments.values:
        parameter = value.parameter
        if isinstance(value, HostArray) and _lies(value, place):
            row = value.fit.row
            is_in_order = row == tuple(range(len(row or ())))
            on_host.append(_OnHost(parameter.name, position, value.parameter.is_written, None if is_in_order else row))
            numbers += [(position + 1 + n, np.int64(each)) for n, each in enumerate(value.fit.numbers)]
        elif isinstance(value, DeviceArray) and value.offset == 0:
            on_device.append(_OnDevice(parameter.name, position, value.parameter.is_written, value.nbytes))
            values = run_time_values(value.parameter, value.layout)
            numbers += [(position + 1 + n, np.int64(each)) for n, each in enumerate(values)]
        elif isinstance(value, ScalarValue):
            scalars.append((position, value.parameter))
        else:
            return None
        position += len(list(arguments_of(parameter)))
    if counts_elements(artifact):
        numbers.append((position, np.int64(arguments.groups)))
    if on_host and on_device:
        return None
    memories: tuple[_OnHost | _OnDevice, ...] = (*on_host, *on_device)
    return Direct(artifact, place, pool, memories, tuple(scalars), tuple(numbers), work_groups)


def _lies(value: HostArray, place: Place) -> bool:
    """True if the kernel finds the array where it is, without gaps."""
    shares = place.facts.shares_host_memory and place.facts.driver.works_in_host_memory
    return shares and value.fit.is_in_place and value.fit.row is not None


def _is_out_of_order(place: Place) -> bool:
    return bool(place.queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
