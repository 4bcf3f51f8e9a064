"""Kernels on devices of OpenCL.

In short calls the buffer of each array is set, and the kernel started: where the device works in the memory of the
host, a buffer is made of each of NumPy's arrays.
"""

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any, cast

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.words import quoted
from einsum_front.runtime.arrays.allocation import was_released
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.layout import run_time_values
from einsum_front.runtime.arrays.overlap import device_place
from einsum_front.runtime.arrays.storage import ArrayValue, DeviceArray, HostArray
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.context import adopt, queue_of
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.opencl import cl, driver_failure, use_drivers
from einsum_front.runtime.launches import bound
from einsum_front.runtime.launches.backlog import Backlog
from einsum_front.runtime.launches.build import KernelObjects, KernelPool, build
from einsum_front.runtime.launches.engine import Direct, DirectArguments, DirectArray, OnHost, direct_arguments, on_host
from einsum_front.runtime.launches.streams import Stream, stream

READ = cl.mem_flags.READ_ONLY | cl.mem_flags.USE_HOST_PTR
WRITE = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR


@dataclass(frozen=True, slots=True)
class OnDevice(DirectArray):
    """An array of pyopencl, which begins its buffer and needs so many bytes of it."""

    nbytes: int

    def is_apart(self, array: Any, other: Any) -> bool:
        """True if two arrays are in different buffers, which still are there."""
        memories = array.base_data, other.base_data
        if any(memory is None or was_released(memory) for memory in memories):
            return False
        one, another = (device_place(cast("cl.MemoryObjectHolder", memory), 0)[0] for memory in memories)
        return one != another


def _buffer(each: DirectArray, array: Any, place: Place) -> cl.Buffer | None:
    """The memory of an array, which the caller keeps until the kernel has ended.

    None if it was released or is too small, or if the array is in use in another queue.
    """
    if isinstance(each, OnHost):
        lying = array if each.row is None else array.transpose(each.row).reshape(-1)
        return cl.Buffer(place.context, WRITE if each.is_written else READ, 0, lying)
    memory = array.base_data
    if not isinstance(memory, cl.MemoryObjectHolder) or was_released(memory):
        return None
    if isinstance(each, OnDevice) and memory.size < each.nbytes:
        return None
    is_elsewhere = array.queue is not None and array.queue != place.queue
    # every kind of memory object can be an argument; the type of pyopencl's arguments names buffers only
    return None if is_elsewhere else cast("cl.Buffer", memory)


_Started = tuple[Sequence[cl.Event], Sequence[cl.Buffer]]
"""The events of a launch, and the memory that it uses."""


class OpenCLDirect(Direct):
    """Launches with kernel objects of their own, whose numbers are set once."""

    __slots__ = ("_artifact", "_backlog", "_idle", "_place", "_pool", "_work_groups")

    def __init__(
        self, arguments: DirectArguments, artifact: Artifact, place: Place, pool: KernelPool, work_groups: int
    ) -> None:
        super().__init__(arguments)
        self._artifact = artifact
        self._place = place
        self._pool = pool
        self._work_groups = work_groups
        self._idle: list[KernelObjects] = []
        self._backlog = Backlog()

    def run(self, arrays: Sequence[Any], scalars: Sequence[np.generic] = ()) -> bool:
        """One launch."""
        started = self._started(arrays, scalars)  # has buffers, which the kernel uses
        if started is None:
            return False
        self._wait(self._place.queue.finish)
        return True

    def start(self, arrays: Sequence[Any]) -> bool:
        """Where a device has its own memory, waits only if the device is far behind (`backlog`)."""
        if self._place.facts.shares_host_memory:
            return self.run(arrays)
        started = self._started(arrays, ())
        if started is None:
            return False
        for each, array in zip(self.arguments.arrays, arrays, strict=True):
            if each.is_written:
                array.add_event(started[0][-1])  # what waits for the array waits for this
        if self._backlog.add(started[0]):
            self._wait(self._backlog.wait)
        return True

    def _started(self, arrays: Sequence[Any], scalars: Sequence[np.generic]) -> _Started | None:
        """Starts the kernel; None if that is not possible.

        A driver takes the arguments when a kernel is started: its objects may serve the next launch at once.
        """
        use_drivers()
        place, kernels = self._place, self._kernels()
        buffers = []
        try:
            for each, array in zip(self.arguments.arrays, arrays, strict=True):
                memory = _buffer(each, array, place)
                if memory is None:
                    self._idle.append(kernels)
                    return None
                buffers.append(memory)
                kernels.set_arg(each.position, memory)
            for (position, _), number in zip(self.arguments.scalars, scalars, strict=True):
                kernels.set_arg(position, number)
            events = kernels.enqueue(place.queue, self._artifact.work_group_size, self._work_groups)
        except cl.Error:
            return None
        except BaseException:
            self._quietly_finish()
            raise
        self._idle.append(kernels)
        return events, buffers

    def _wait(self, wait: Callable[[], object]) -> None:
        try:
            wait()
        except cl.Error as error:
            raise self._failed(error) from None
        except BaseException:
            self._quietly_finish()
            raise

    def _quietly_finish(self) -> None:
        """Nothing runs any more: the memory is the caller's, who may free it now."""
        with suppress(cl.Error):
            self._place.queue.finish()

    def _kernels(self) -> KernelObjects:
        """Kernel objects that no other thread uses, their numbers set."""
        try:
            return self._idle.pop()
        except IndexError:
            kernels = self._pool.take()
            for position, number in self.arguments.numbers:
                kernels.set_arg(position, number)
            return kernels

    def _failed(self, error: cl.Error) -> CompileError:
        written = [each.name for each in self._artifact.parameters if getattr(each, "is_written", False)]
        note = f"the contents of {quoted(sorted(written))} are lost"
        return driver_failure("E0608", f"`{self._artifact.name}` failed on `{self._place.facts.name}`", error, (note,))


def direct(artifact: Artifact, place: Place, pool: KernelPool, arguments: Arguments) -> OpenCLDirect | None:
    """Launches for calls with arrays like these; None if something has to be copied, computed or loaded before."""
    if place.queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE:
        return None
    work_groups = -(-arguments.groups // artifact.elements_per_group) * artifact.groups_per_element
    if pool.loads_for(work_groups):
        return None
    shares = place.facts.shares_host_memory and place.facts.driver.works_in_host_memory

    def array_of(value: ArrayValue, position: int) -> tuple[DirectArray, Sequence[int]] | None:
        if isinstance(value, HostArray) and shares and value.fit.is_in_place and value.fit.row is not None:
            return on_host(value, position), value.fit.numbers
        if isinstance(value, DeviceArray) and value.offset == 0:
            numbers = run_time_values(value.parameter, value.layout)
            return OnDevice(value.parameter.name, position, value.parameter.is_written, value.nbytes), numbers
        return None

    found = direct_arguments(artifact, arguments, array_of)
    if found is None or len(set(map(type, found.arrays))) > 1:
        return None
    return OpenCLDirect(found, artifact, place, pool, work_groups)


@dataclass(frozen=True, slots=True)
class OpenCLBound:
    """A kernel in a context, for a queue; `pools` has the kernel objects of it and of its prologue."""

    artifact: Artifact
    place: Place
    pools: tuple[KernelPool, KernelPool | None]

    def launch(self, parts: Sequence[Arguments], lost: frozenset[str], *, starts_at_once: bool) -> bound.Launch:
        """A launch that owns kernel objects until nobody has it any more."""
        return bound.Launch(self.artifact, self.place, self.pools, parts, lost, starts_at_once=starts_at_once)

    def stream(self, arguments: Arguments, overwritten: frozenset[str]) -> Stream | None:
        """The call in parts, if the device has its own memory."""
        return stream(self.artifact, self.place, self.pools, arguments, overwritten)

    def direct(self, part: Arguments) -> Direct | None:
        """Launches on the memory of arrays as they lie."""
        return direct(self.artifact, self.place, self.pools[0], part)


@dataclass(frozen=True, slots=True)
class OpenCLEngine:
    """A kernel for a device; `queue` is where all launches go, None: that of their arrays or of the device."""

    artifact: Artifact
    device: Device
    queue: cl.CommandQueue | None

    def bind(self, arguments: Arguments) -> OpenCLBound:
        """Builds the program for the context of the arguments."""
        place, handle, prologue = self._place(arguments), self.device.handle, self.artifact.prologue
        once = None if prologue is None else build(prologue, place.context, handle)
        return OpenCLBound(self.artifact, place, (build(self.artifact, place.context, handle), once))

    def _place(self, arguments: Arguments) -> Place:
        """The caller's context and queue if an argument is on the device already, else ours."""
        facts, handle = self.device.facts, self.device.handle
        if self.queue is not None:
            return Place(self.queue.context, self.queue, facts)
        placed = [value for value in arguments.values if isinstance(value, DeviceArray)]
        contexts = [value.context for value in placed if value.context is not None]
        if not contexts:
            return Place(self.device.context, self.device.queue, facts)
        adopt(contexts[0])
        queues = [value.queue for value in placed if value.queue is not None]
        for queue in queues:
            queue.finish()  # what still fills or reads the arrays
        ours = [queue for queue in queues if queue.device == handle]
        return Place(contexts[0], ours[0] if ours else queue_of(contexts[0], handle), facts)
