"""Tensors on a device: where the kernel finds them and how results come back.

On a CPU a NumPy array is used in place if it lies as the kernel takes it and declares no zeros; otherwise it is copied
into that layout. A device with memory of its own gets a copy in any case, through page-locked memory (`bus`); memory of
a device is used where it is.
"""

from operator import index
from typing import Any, cast

from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.arrays.bus import bus_of
from einsum_front.runtime.arrays.host_arrays import fits_shape, memory_from
from einsum_front.runtime.arrays.layout import Layout, declared_layout, element_text, expected_shape, run_time_values
from einsum_front.runtime.arrays.storage import DeviceArray, HostArray, copy_back, copy_in, fitted, flat, new_array
from einsum_front.runtime.artifact import ArrayParameter, GroupParameter, TensorParameter
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import KernelArg, cl, driver_errors


@dataclass(frozen=True, slots=True)
class Place:
    """Where a launch takes place."""

    context: cl.Context
    queue: cl.CommandQueue
    facts: DeviceFacts


class HostStorage:
    """A NumPy array where kernels of this process find it: itself, or a copy in the layout that they want."""

    def __init__(self, value: HostArray) -> None:
        self._caller = value.array
        self._mask = value.fit.mask
        self._host = fitted(value.parameter, value.array, value.fit)
        self.is_written = value.parameter.is_written
        self.numbers = value.fit.numbers

    @property
    def address(self) -> int:
        """Where its first entry is."""
        return self._host.ctypes.data

    @property
    def is_in_place(self) -> bool:
        """True if the kernel writes into the caller's memory."""
        return self.is_written and self._host is self._caller

    def take(self) -> None:
        """Bring what the caller's array holds now to where the kernel reads it; the kernel must not be running."""
        if self._host is not self._caller:
            copy_in(self._host, self._caller, self._mask)

    def fetch(self) -> None:
        """Bring the results into the caller's array; the kernel must have finished."""
        if self._host is not self._caller:
            copy_back(self._caller, self._host, self._mask)


class TensorStorage(HostStorage):
    """A NumPy array on a device of OpenCL that works in the memory of the host."""

    def __init__(self, value: HostArray, place: Place) -> None:
        super().__init__(value)
        self._queue = place.queue
        self._memory = flat(self._host, value.fit)
        self._is_same_memory = place.facts.driver.works_in_host_memory
        self._buffer = _buffer(value.parameter, place, self._memory)
        self.kernel_arguments: tuple[KernelArg, ...] = (self._buffer, *self.numbers)

    def take(self) -> None:
        """Bring what the caller's array holds now to the device; the kernel must not be running."""
        super().take()
        if not self._is_same_memory:  # on a CPU, too, a driver may have a copy of its own
            cl.enqueue_copy(self._queue, self._buffer, self._memory, is_blocking=False)

    def publish(self) -> None:
        """Tell the device to let the host see what the kernel writes into its memory; nothing is waited for.

        Only mapped memory is sure to show it, and what it showed it keeps.
        """
        if not self._is_same_memory:
            mapped, event = cl.enqueue_map_buffer(
                self._queue,
                self._buffer,
                cl.map_flags.READ,
                0,
                self._memory.shape,
                self._memory.dtype,
                is_blocking=False,
            )
            mapped.base.release(self._queue, wait_for=[event])


class StagedStorage:
    """A NumPy array on a device with memory of its own: copied there and back, in the layout that the kernel takes."""

    is_in_place = False

    def __init__(self, value: HostArray, place: Place) -> None:
        self._value = value
        self._bus = bus_of(place.context, place.queue.device)
        self._buffer = _buffer(value.parameter, place, max(1, value.fit.layout.span) * value.array.itemsize)
        self.is_written = value.parameter.is_written
        self.kernel_arguments: tuple[KernelArg, ...] = (self._buffer, *value.fit.numbers)

    def take(self) -> None:
        """Bring what the caller's array holds now to the device, and wait; the kernel must not be running."""
        self._bus.carry_in(self._buffer, self._value.array, self._value.fit)

    def publish(self) -> None:
        """Results are fetched."""

    def fetch(self) -> None:
        """Bring the results into the caller's array; the kernel must have finished."""
        self._bus.carry_out(self._value.array, self._buffer, self._value.fit)


def _buffer(parameter: TensorParameter, place: Place, memory: "NDArray[Any] | int") -> cl.Buffer:
    """A buffer over memory of the host, or of so many bytes of the device; raises CompileError (E0607)."""
    access = cl.mem_flags.READ_WRITE if parameter.is_written else cl.mem_flags.READ_ONLY
    with driver_errors("E0607", f"no memory for argument `{parameter.name}` on `{place.facts.name}`"):
        if isinstance(memory, int):
            return cl.Buffer(place.context, access, memory)
        return cl.Buffer(place.context, access | cl.mem_flags.USE_HOST_PTR, hostbuf=memory)


class DeviceStorage:
    """An array that is on the device already."""

    def __init__(self, value: DeviceArray) -> None:
        self.name, self.callers = value.parameter.name, value.memory
        # every kind of memory object can be an argument; the type of pyopencl's arguments names buffers only
        memory = cast("KernelArg", memory_from(value.memory, value.offset, value.nbytes))
        self.is_in_place = self.is_written = value.parameter.is_written
        self.kernel_arguments: tuple[KernelArg, ...] = (memory, *run_time_values(value.parameter, value.layout))

    def take(self) -> None:
        """The kernel reads the caller's memory."""

    def publish(self) -> None:
        """The results stay on the device."""

    def fetch(self) -> None:
        """The results are where they belong."""


def empty(parameter: ArrayParameter, batch: int, shape: tuple[int, ...] | None = None) -> NDArray[Any]:
    """An array for a parameter in the declared layout, its contents arbitrary; of shape `(batch, *shape)` if batched.

    `shape` is that of one element in the user's order and is needed only if it is not known before the launch. A group
    gets one array, its elements one behind the other.
    """
    if index(batch) < 0:  # a float is a TypeError, as everywhere in Python
        raise failure("E0511", f"an array has no batch of {batch} elements")
    expected = expected_shape(parameter)
    sizes = expected[1:] if isinstance(parameter, TensorParameter) and parameter.batched else expected
    if shape is None:
        shape = tuple(size for size in sizes if size is not None)
    if not fits_shape(shape, sizes):
        message = f"an element of `{parameter.name}` has shape {element_text(parameter)}, which {shape} does not fit"
        raise failure("E0505", message)
    if isinstance(parameter, GroupParameter):
        return _empty_group(parameter, batch, declared_layout(parameter, shape))
    return new_array(parameter.type, declared_layout(parameter, (batch, *shape) if parameter.batched else shape))


def _empty_group(parameter: GroupParameter, batch: int, one: Layout) -> NDArray[Any]:
    stacked = Layout((*one.shape, batch), (*one.strides, max(1, one.span)), (*(axis + 1 for axis in one.axes), 0))
    return new_array(parameter.type, stacked)
