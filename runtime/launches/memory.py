"""Where the arrays of a computation live: NumPy's in the memory of the host, pyopencl's on a device (CuPy's: `cuda`).

For those who need arrays besides the caller's: both kinds are made, zeroed, copied and compared in the same words.
"""

from collections.abc import Callable, Sequence
from functools import cache, partial
from math import prod
from typing import Any, Protocol, TypeAlias, TypeGuard, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import COMPLEX
from einsum_front.runtime.arrays.allocation import Allocation, memory_for_results, was_released
from einsum_front.runtime.arrays.cuda import CudaArray
from einsum_front.runtime.arrays.host_arrays import can_start_at, is_read_only, start_alignment
from einsum_front.runtime.arrays.overlap import byte_range, device_place
from einsum_front.runtime.arrays.transfers import PyopenclArray
from einsum_front.runtime.artifact import Artifact, ScalarParameter, TensorParameter
from einsum_front.runtime.devices.context import adopt, queue_of
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.opencl import Allocator, Array, KernelArg, cl, driver_errors, empty_like, use_drivers
from einsum_front.runtime.devices.room import no_room
from einsum_front.runtime.launches.build import build
from einsum_front.runtime.launches.device_sums import RowSums

HostArray: TypeAlias = NDArray[Any]
AnyArray = TypeVar("AnyArray", HostArray, PyopenclArray, CudaArray)


def is_on_device(value: object) -> TypeGuard[PyopenclArray]:
    """True if this is an array of pyopencl."""
    return isinstance(value, PyopenclArray)


def is_writable(array: PyopenclArray) -> bool:
    """True if kernels may write to its memory."""
    return not is_read_only(array.base_data)


class Memory(Protocol[AnyArray]):
    """Operations on arrays where they are."""

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> AnyArray:
        """A new array in C order, its contents arbitrary."""

    def again(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Callable[[], AnyArray]:
        """`empty` for those who need many such arrays."""

    def ready(self, array: AnyArray) -> AnyArray:
        """The array, or a copy of it, as a kernel takes it whose tensors are in C order."""

    def batch_of_one(self, array: AnyArray) -> AnyArray:
        """The array with a first axis of length 1, for a kernel."""

    def clear(self, array: AnyArray) -> None:
        """Makes all entries of an array that is `ready` zero."""

    def can_hold(self, out: AnyArray, operands: Sequence[AnyArray]) -> bool:
        """True if a kernel with these operands can write to `out`: it is `ready`, and apart from all of them."""

    def copy(self, target: AnyArray, source: AnyArray) -> None:
        """Copies all entries; the two share no memory."""

    def is_in_order(self, array: AnyArray) -> bool:
        """True if the array is in C order without gaps."""

    def reshaped(self, array: AnyArray, shape: tuple[int, ...]) -> AnyArray:
        """A view in another shape of an array that is in order."""


class HostMemory:
    """Kernels take NumPy's arrays in any layout."""

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> HostArray:
        """An array of NumPy; raises CompileError (E0516) if there is no memory for it."""
        try:
            return np.empty(shape, dtype)
        except (MemoryError, ValueError):  # NumPy has two ways to say it
            raise no_room(shape, dtype) from None

    def again(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Callable[[], HostArray]:
        """As soon as NumPy has them."""
        return partial(np.empty, shape, dtype)

    def ready(self, array: HostArray) -> HostArray:
        """The array: what a kernel cannot use in place is copied at the launch."""
        return array

    def batch_of_one(self, array: HostArray) -> HostArray:
        """A view."""
        return array[None]

    def clear(self, array: HostArray) -> None:
        """Any array."""
        array[...] = 0

    def can_hold(self, out: HostArray, operands: Sequence[HostArray]) -> bool:
        """If it is apart."""
        return not any(np.may_share_memory(out, operand) for operand in operands)

    def copy(self, target: HostArray, source: HostArray) -> None:
        """By NumPy."""
        target[...] = source

    def is_in_order(self, array: HostArray) -> bool:
        """NumPy says it."""
        return array.flags.c_contiguous

    def reshaped(self, array: HostArray, shape: tuple[int, ...]) -> HostArray:
        """By NumPy."""
        return array.reshape(shape)


@dataclass(frozen=True, slots=True)
class DeviceMemory:
    """Kernels take arrays of a device where they lie: in C order, and where a buffer may start."""

    device: Device
    queue: cl.CommandQueue
    allocator: "Allocator | None" = None

    def empty(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> PyopenclArray:
        """An array of pyopencl with our queue, in memory from where that of the caller's arrays comes."""
        with driver_errors("E0607", f"no memory for an array of shape {shape} on `{self.device.facts.name}`"):
            return PyopenclArray(self.queue, shape, dtype, allocator=self.allocator)

    def again(self, shape: tuple[int, ...], dtype: np.dtype[Any]) -> Callable[[], PyopenclArray]:
        """Arrays like one that has no room for its entries: to check shape and strides takes as long as a launch."""
        nothing = self.empty((1,), dtype)
        like = PyopenclArray(self.queue, shape, dtype, allocator=self.allocator, data=nothing.base_data)

        def empty() -> PyopenclArray:
            with driver_errors("E0607", f"no memory for an array of shape {shape} on `{self.device.facts.name}`"):
                return cast("PyopenclArray", empty_like(like))

        return empty

    def ready(self, array: PyopenclArray) -> PyopenclArray:
        """A copy if the array is in another order, has gaps, or starts where no buffer can."""
        if self._is_ready(array):
            return array
        copy = self.empty(array.shape, array.dtype)
        copy_entries(copy, array, self.queue)
        return copy

    def batch_of_one(self, array: PyopenclArray) -> PyopenclArray:
        """A view, made by hand: to check its shape and strides takes pyopencl as long as a launch."""
        return _seen(array, shape=(1, *array.shape), strides=(array.nbytes, *array.strides))

    def clear(self, array: PyopenclArray) -> None:
        """By a copy of one zero to all entries: pyopencl's `fill` compiles a kernel, which drivers comment."""
        zero = PyopenclArray(self.queue, (1,), array.dtype, allocator=self.allocator)
        zero.set(np.zeros(1, array.dtype))
        zeros = PyopenclArray(
            self.queue, array.shape, array.dtype, data=zero.base_data, offset=zero.offset, strides=(0,) * array.ndim
        )
        copy_entries(array, zeros, self.queue)

    def can_hold(self, out: PyopenclArray, operands: Sequence[PyopenclArray]) -> bool:
        """If it needs no copy, may be written, and is apart."""
        if was_released(cast("Allocation", out.base_data)):  # nothing may be asked of it
            return False
        return (
            self._is_ready(out)
            and is_writable(out)
            and not any(_may_share_memory(out, operand) for operand in operands)
        )

    def copy(self, target: PyopenclArray, source: PyopenclArray) -> None:
        """By a kernel, which is waited for."""
        copy_entries(target, source, self.queue)

    def combine(
        self, target: PyopenclArray, source: PyopenclArray, alpha: np.floating[Any], beta: np.floating[Any]
    ) -> None:
        """`target = alpha * source + beta * target`, which is waited for; both may be the same array.

        The factors are real, of the type of the parts where the arrays are complex.
        """
        combine_entries(_in_parts(target), _in_parts(source), alpha, beta, self.queue)

    def row_sums(self, rows: int, length: int, operands: int, dtype: np.dtype[Any]) -> RowSums | None:
        """Sums along rows, of products of two operands; None where work-groups of a kernel do as well."""
        if self.device.facts.shares_host_memory:
            return None
        return RowSums(self.device, self.queue, rows, length, operands, dtype.itemsize)

    def is_in_order(self, array: PyopenclArray) -> bool:
        """pyopencl says it."""
        return bool(array.flags.c_contiguous)

    def reshaped(self, array: PyopenclArray, shape: tuple[int, ...]) -> PyopenclArray:
        """By pyopencl."""
        return cast("PyopenclArray", array.reshape(shape))  # type: ignore[no-untyped-call]

    def _is_ready(self, array: PyopenclArray) -> bool:
        alignment = start_alignment(array.dtype.itemsize, self.device.facts)
        return bool(array.flags.c_contiguous) and can_start_at(array.base_data, array.offset, alignment)


def _in_parts(array: PyopenclArray) -> PyopenclArray:
    """Complex numbers with their parts along a last axis; real ones as such."""
    if (kind := COMPLEX.get(array.dtype)) is None:
        return array
    shape, strides = (*array.shape, 2), (*array.strides, kind.itemsize)
    return _seen(array, shape=shape, strides=strides, dtype=kind, size=2 * array.size)


def _seen(array: PyopenclArray, **others: object) -> PyopenclArray:
    """A view of the same memory with other attributes."""
    view = PyopenclArray.__new__(PyopenclArray)
    vars(view).update(vars(array), **others, _flags=None)
    return view


def devices_of(array: PyopenclArray) -> tuple[cl.Device, ...]:
    """The device of its queue; without one all devices of its context."""
    if array.queue is not None:
        return (array.queue.device,)
    return tuple(cast("cl.Context", array.context).devices)


def memory_of(arrays: Sequence[PyopenclArray], device: Device) -> DeviceMemory:
    """The memory of a device in the context of the arrays; the queue is theirs if one of them has a fitting one."""
    context = cast("cl.Context", arrays[0].context)
    adopt(context)
    queues = (array.queue for array in arrays if array.queue is not None)
    own = next((queue for queue in queues if queue.device == device.handle), None)
    queue = own or queue_of(context, device.handle)
    return DeviceMemory(device, queue, arrays[0].allocator or memory_for_results(queue))


def uploaded_beside(array: PyopenclArray, values: HostArray) -> PyopenclArray:
    """A copy of an array of NumPy in the context of one of pyopencl, in memory from the same allocator."""
    device = devices_of(array)[0]
    adopt(cast("cl.Context", array.context))
    queue = array.queue or queue_of(cast("cl.Context", array.context), device)
    copy = PyopenclArray(queue, values.shape, values.dtype, allocator=array.allocator)
    if values.size:
        copy.set(np.ascontiguousarray(values))
    return copy


def _may_share_memory(one: PyopenclArray, other: PyopenclArray) -> bool:
    """True if the bytes between the first and the last entry of each meet."""
    if one.size == 0 or other.size == 0:
        return False
    (space, start, end), (space_of_other, start_of_other, end_of_other) = _extent(one), _extent(other)
    return space == space_of_other and start < end_of_other and start_of_other < end


def _extent(array: PyopenclArray) -> tuple[int, int, int]:
    space, first = device_place(cast("cl.MemoryObjectHolder | cl.SVMPointer", array.base_data), array.offset)
    return space, *byte_range(first, array.shape, array.strides, array.dtype.itemsize)


# -- copies and sums of arrays of a device whatever their strides are --------------------------------------------------
# pyopencl has those without gaps, in one order.

SOURCE = """
kernel void copy(global ENTRY const* source, long source_start, global ENTRY* target, long target_start,
                 global long const* modes, long order MORE) {
  long from = source_start + (long)get_global_id(0) * modes[1] + (long)get_global_id(1) * modes[4];
  long to = target_start + (long)get_global_id(0) * modes[2] + (long)get_global_id(1) * modes[5];
  long rest = get_global_id(2);
  for (long mode = 2; mode < order; ++mode) {
    long position = rest;
    if (mode + 1 < order) {
      position = rest % modes[3 * mode];
      rest = rest / modes[3 * mode];
    }
    from += position * modes[3 * mode + 1];
    to += position * modes[3 * mode + 2];
  }
  target[to] = VALUE;
}
"""
"""A work-item computes an entry. `modes` has size and strides, in source and target, of two modes or more."""

ENTRIES = {4: "uint", 8: "ulong", 16: "ulong2"}
"""What has as many bytes as an entry: bits are copied, whatever they mean."""

FP64 = 8
"""Bytes of an entry."""

FLOATS = {4: "float", 8: "double"}

SUM = "(alpha == 0 ? 0 : alpha * source[from]) + (beta == 0 ? 0 : beta * target[to])"
"""Where a factor is 0, its entry does not count, whatever it is."""

Mode = tuple[int, int, int]
"""Its size, and its strides in the source and in the target, in entries."""


def copy_entries(target: Array, source: Array, queue: cl.CommandQueue) -> None:
    """Copies all entries between arrays of one shape and element type on one device, and waits.

    The strides may be any, those of the target such that no two entries share memory; source and target are apart.
    """
    _compute(target, source, queue, ())


def combine_entries(
    target: Array, source: Array, alpha: np.floating[Any], beta: np.floating[Any], queue: cl.CommandQueue
) -> None:
    """`target = alpha * source + beta * target`, for such arrays, or one that is both; of type f32 or f64, as are the
    factors."""
    _compute(target, source, queue, (alpha, beta))


def _compute(target: Array, source: Array, queue: cl.CommandQueue, factors: tuple[np.floating[Any], ...]) -> None:
    use_drivers()
    for array in (source, target):
        if array.queue is not None:
            array.queue.finish()
    if target.size == 0:
        return
    modes = [*_modes(source, target), (1, 0, 0), (1, 0, 0)]
    modes = modes[: max(2, len(modes) - 2)]
    global_size = modes[0][0], modes[1][0], prod(size for size, _, _ in modes[2:])
    itemsize = target.dtype.itemsize
    with driver_errors("E0608", "an array cannot be copied"):
        flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
        table = cl.Buffer(queue.context, flags, hostbuf=np.array(modes, dtype=np.int64))
        pool = build(_artifact(itemsize, is_sum=bool(factors)), queue.context, queue.device)
        ends = {"source": source.base_data, "target": target.base_data}
        shared = frozenset(name for name, memory in ends.items() if isinstance(memory, cl.SVMPointer))
        kernels = pool.take(shared)
        starts = source.offset // itemsize, target.offset // itemsize
        # every kind of memory object can be an argument; the type of pyopencl's arguments names buffers only
        here, there = cast("KernelArg", source.base_data), cast("KernelArg", target.base_data)
        (kernel,) = kernels.each
        kernel.set_args(here, starts[0], there, starts[1], table, len(modes), *factors)
        cl.enqueue_nd_range_kernel(queue, kernel, global_size, None)
        queue.finish()
        pool.give_back(kernels, shared)


def _modes(source: Array, target: Array) -> list[Mode]:
    """The modes with more than one entry, the last one first; neighbours that lie alike in both arrays are one."""
    modes: list[Mode] = []
    for size, *strides in reversed(list(zip(target.shape, source.strides, target.strides, strict=True))):
        here, there = (stride // target.dtype.itemsize for stride in strides)
        if size == 1:
            continue
        if modes and (here, there) == (modes[-1][0] * modes[-1][1], modes[-1][0] * modes[-1][2]):
            modes[-1] = (size * modes[-1][0], *modes[-1][1:])
        else:
            modes.append((size, here, there))
    return modes


@cache
def _artifact(itemsize: int, *, is_sum: bool) -> Artifact:
    """The kernel for entries of so many bytes, with what `build` must know of it."""

    def memory(name: str, is_written: bool) -> TensorParameter:
        return TensorParameter(name, "u8", (), (), (), batch_mode=None, is_read=not is_written, is_written=is_written)

    number = [ScalarParameter(name, "index") for name in ("source_start", "target_start", "order")]
    parameters = (
        memory("source", False),
        number[0],
        memory("target", True),
        number[1],
        memory("modes", False),
        number[2],
    )
    entry = FLOATS[itemsize] if is_sum else ENTRIES[itemsize]
    more = f", {entry} alpha, {entry} beta" if is_sum else ""
    source = SOURCE.replace("ENTRY", entry).replace("MORE", more).replace("VALUE", SUM if is_sum else "source[from]")
    if not is_sum:
        return Artifact("copy", source, parameters, (1, 1), 0, needs_fp64=False)
    factors = tuple(ScalarParameter(name, f"f{8 * itemsize}") for name in ("alpha", "beta"))
    needs_fp64 = itemsize == FP64
    source = f"#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n{source}" if needs_fp64 else source
    return Artifact("copy", source, (*parameters, *factors), (1, 1), 0, needs_fp64=needs_fp64)
