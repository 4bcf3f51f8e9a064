"""Memory of a device as an argument: used where it lies, so it must lie as declared."""

from dataclasses import replace
from typing import TypeGuard, cast

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.runtime.arrays.allocation import release_mistake, size_mistake
from einsum_front.runtime.arrays.host_arrays import (
    element_type_mistake,
    fits_shape,
    read_only_mistake,
    shape_mistake,
    stride_mistake,
)
from einsum_front.runtime.arrays.layout import (
    ELEMENT_TYPES,
    Layout,
    declared_layout,
    distance,
    expected_shape,
    expected_text,
    follows,
    layout_in_place,
    modes_of_element,
    shape_text,
)
from einsum_front.runtime.arrays.values import DeviceArray
from einsum_front.runtime.artifact import TensorParameter
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import Array, PooledBuffer, cl


def check_device_array(kernel: str, parameter: TensorParameter, array: Array) -> DeviceArray | list[Diagnostic]:
    """A pyopencl array; it knows its shape, strides and queue."""
    name = f"argument `{parameter.name}`"
    released = release_mistake(name, array.base_data)
    if released is not None:
        return [released]
    mistakes = []
    if array.dtype != ELEMENT_TYPES[parameter.type]:
        mistakes.append(element_type_mistake(name, parameter, array.dtype))
    if not fits_shape(array.shape, expected_shape(parameter)):
        mistakes.append(shape_mistake(name, parameter, array.shape, expected_text(parameter)))
    elif strides := stride_mistake(kernel, name, parameter, array.shape):
        mistakes.append(strides)
    if parameter.is_written and is_read_only(array.base_data):
        mistakes.append(read_only_mistake(name, kernel))
    if mistakes:
        return mistakes
    layout = layout_in_place(parameter, array.shape, array.strides)
    if layout is None:
        return [_layout_mistake(kernel, parameter, array)]
    value = device_array(parameter, array, layout)
    outside = outside_mistake(value)
    return value if outside is None else [outside]


def device_array(parameter: TensorParameter, array: Array, layout: Layout) -> DeviceArray:
    """A pyopencl array that lies as it should."""
    return DeviceArray(parameter, array.base_data, array.offset, layout, array.context, array.queue)


def outside_mistake(value: DeviceArray) -> Diagnostic | None:
    """The array has entries behind the end of its memory."""
    name = f"argument `{value.parameter.name}`"
    return size_mistake(name, value.memory, value.offset, value.offset + value.nbytes)


def check_buffer(kernel: str, parameter: TensorParameter, memory: cl.MemoryObjectHolder) -> DeviceArray | Diagnostic:
    """A buffer in the declared layout; how many elements it has follows from its size."""
    name = f"argument `{parameter.name}`"
    released = release_mistake(name, memory)
    if released is not None:
        return released
    sizes = (parameter.shape[mode] for mode in modes_of_element(parameter))
    if None in sizes or None in parameter.strides:
        message = f"{name} is an OpenCL buffer, which has no shape and strides, and these are known only at the launch"
        return Diagnostic("E0503", message, notes=("a pyopencl array has them",))
    if parameter.is_written and is_read_only(memory):
        return read_only_mistake(name, kernel)
    itemsize = ELEMENT_TYPES[parameter.type].itemsize
    one = declared_layout(parameter, tuple(1 if size is None else size for size in expected_shape(parameter)))
    batch = _elements(parameter, memory.size // itemsize, one.span) if memory.size % itemsize == 0 else None
    if batch is None:
        expected = _expected_bytes(parameter, one.span, itemsize)
        return Diagnostic("E0505", f"{name} is a buffer of {memory.size} bytes, expected {expected}")
    layout = declared_layout(parameter, (batch, *one.array_shape[1:]) if parameter.batched else one.array_shape)
    return DeviceArray(parameter, memory, 0, layout, memory.context, None)


def _expected_bytes(parameter: TensorParameter, span: int, itemsize: int) -> str:
    if not parameter.batched:
        return f"at least {span * itemsize}"
    apart, count = distance(parameter) * itemsize, parameter.batch_size
    return f"a multiple of {apart}" if count is None else str(count * apart)


def _elements(parameter: TensorParameter, entries: int, span: int) -> int | None:
    """How many elements a buffer of so many entries holds; the padding behind the last one may be missing."""
    if not parameter.batched:
        return 1 if entries >= span else None
    whole, rest = divmod(entries, distance(parameter))
    count = parameter.batch_size
    batch = whole + 1 if rest == span else whole if rest == 0 else None
    return batch if count is None or batch == count else None


def start_alignment(itemsize: int, facts: DeviceFacts) -> int:
    """Bytes: entries of so many bytes must start at a multiple of it in a buffer, unless at its first byte."""
    return max(facts.base_alignment, itemsize)


def can_start_at(memory: cl.MemoryObjectHolder | cl.SVMPointer | None, offset: int, alignment: int) -> bool:
    """True if the kernel can be given the memory from `offset` bytes on: of a buffer, at multiples of `alignment`."""
    return offset == 0 or (is_buffer(memory) and (memory.offset + offset) % alignment == 0)


def is_buffer(memory: cl.MemoryObjectHolder | cl.SVMPointer | None) -> TypeGuard[cl.Buffer | PooledBuffer]:
    """True for memory that parts can be made of; shared memory has none."""
    return isinstance(memory, cl.Buffer | PooledBuffer)


def memory_from(
    memory: cl.MemoryObjectHolder | cl.SVMPointer | None, offset: int, nbytes: int
) -> cl.MemoryObjectHolder | cl.SVMPointer | None:
    """The memory from `offset` on. A part of a part of a buffer is not allowed, so it is made a part of the whole."""
    if offset == 0 or not is_buffer(memory):
        return memory
    whole = memory.get_info(cl.mem_info.ASSOCIATED_MEMOBJECT)
    if isinstance(whole, cl.Buffer):
        return whole.get_sub_region(memory.offset + offset, max(1, nbytes))
    # pyopencl has no parts of what is from a pool; who asks keeps that as long as the part
    plain = memory if isinstance(memory, cl.Buffer) else cl.Buffer.from_int_ptr(memory.int_ptr, retain=True)
    return cast("cl.Buffer", plain).get_sub_region(offset, max(1, nbytes))


def is_read_only(memory: cl.MemoryObjectHolder | cl.SVMPointer | None) -> bool:
    """True if kernels must not write to the memory."""
    return isinstance(memory, cl.MemoryObjectHolder) and bool(memory.flags & cl.mem_flags.READ_ONLY)


def _layout_mistake(kernel: str, parameter: TensorParameter, array: Array) -> Diagnostic:
    itemsize = ELEMENT_TYPES[parameter.type].itemsize
    found = shape_text(stride // itemsize for stride in array.strides)
    declared = shape_text(declared_layout(parameter, array.shape).array_strides)
    notes = ["strides count elements; an array of a device is used where it lies, NumPy arrays can lie in any way"]
    lying = layout_in_place(replace(parameter, fused=()), array.shape, array.strides)
    if lying is not None:
        k, j = next(pair for pair in parameter.fused if not follows(lying, *pair))
        notes.append(
            f"`{kernel}` walks axes {lying.axes[k]} and {lying.axes[j]} as one: there must be no gaps between them"
        )
    message = f"argument `{parameter.name}` has strides {found}, expected {declared}"
    return Diagnostic("E0506", message, notes=tuple(notes))
