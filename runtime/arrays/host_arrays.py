"""NumPy arrays as arguments: element type, shape and whether they can be written."""

from dataclasses import replace
from typing import Any, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.numbers import is_bf16
from einsum_front.runtime.arrays.allocation import release_mistake, size_mistake
from einsum_front.runtime.arrays.foreign import refusal
from einsum_front.runtime.arrays.layout import (
    ELEMENT_TYPES,
    Layout,
    declared_layout,
    distance,
    element_text,
    expected_shape,
    expected_text,
    follows,
    is_apart,
    layout_in_place,
    lies_close,
    modes_of_element,
    shape_text,
)
from einsum_front.runtime.arrays.overlap import overlaps_itself
from einsum_front.runtime.arrays.storage import DeviceArray, HostArray, HostGroup, host_array
from einsum_front.runtime.artifact import ArrayParameter, Extent, GroupParameter, TensorParameter
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import Array, PooledBuffer, cl


def check_host_array(
    kernel: str, parameter: TensorParameter, argument: object, *, allow_gaps: bool
) -> HostArray | list[Diagnostic]:
    """One tensor for the whole launch, or all elements of the batch in one array."""
    name, text = f"argument `{parameter.name}`", expected_text(parameter)
    if not _is_plain_array(argument):
        return [_no_array(name, argument, f"a NumPy or pyopencl array of shape {text}")]
    mistakes = _mistakes(kernel, parameter, argument, (name, expected_shape(parameter), text))
    return mistakes or host_array(parameter, argument, allow_gaps=allow_gaps)


def check_group(kernel: str, parameter: GroupParameter, argument: object) -> HostGroup | list[Diagnostic]:
    """One array for all elements, or a sequence of arrays; of a sequence, the first wrong member is reported."""
    name, text = f"argument `{parameter.name}`", expected_text(parameter)
    if _is_plain_array(argument):
        mistakes = _mistakes(kernel, parameter, argument, (name, (None, *expected_shape(parameter)), text))
        return mistakes or HostGroup(parameter, tuple(argument[i, ...] for i in range(len(argument))))
    if not isinstance(argument, list | tuple):
        return [_no_array(name, argument, f"a NumPy array of shape {text} or a list of arrays")]
    shape, text = expected_shape(parameter), element_text(parameter)
    for position, member in enumerate(argument):
        name_of_member = f"member {position} of {name}"
        if not _is_plain_array(member):
            return [_no_array(name_of_member, member, f"a NumPy array of shape {text}")]
        mistakes = _mistakes(kernel, parameter, member, (name_of_member, shape, text))
        if mistakes:
            return mistakes
    return HostGroup(parameter, tuple(argument))


def _is_plain_array(argument: object) -> TypeGuard[NDArray[Any]]:
    """Masked arrays are none: a kernel would read what is under the mask."""
    return type(argument) is np.ndarray or (
        isinstance(argument, np.ndarray) and not isinstance(argument, np.ma.MaskedArray)
    )


def _no_array(name: str, argument: object, expected: str) -> Diagnostic:
    refused = refusal(argument)
    notes = () if refused is None else refused.notes[:1]
    if isinstance(argument, list | tuple) and not notes:
        notes = ("`numpy.array` makes an array of a list",)
    return Diagnostic("E0503", f"{name} is of type {type(argument).__name__}, expected {expected}", notes=notes)


def _mistakes(
    kernel: str, parameter: ArrayParameter, array: NDArray[Any], expected: tuple[str, tuple[Extent, ...], str]
) -> list[Diagnostic]:
    """`expected` is the name of the argument, its shape and the text of that shape."""
    name = expected[0]
    mistakes = _described_mistakes(kernel, parameter, (array.shape, array.dtype), expected)
    if parameter.is_written and not array.flags.writeable:
        mistakes.append(read_only_mistake(name, kernel))
    elif parameter.is_written and overlaps_itself(array):
        mistakes.append(Diagnostic("E0510", f"entries of {name} share memory, and `{kernel}` writes to them"))
    return mistakes


def _described_mistakes(
    kernel: str,
    parameter: ArrayParameter,
    found: tuple[tuple[int, ...], np.dtype[Any]],
    expected: tuple[str, tuple[Extent, ...], str],
) -> list[Diagnostic]:
    """What a shape and an element type can be wrong about."""
    (given, dtype), (name, shape, text) = found, expected
    mistakes = []
    if dtype != ELEMENT_TYPES[parameter.type]:
        mistakes.append(element_type_mistake(name, parameter, dtype))
    if not fits_shape(given, shape):
        mistakes.append(shape_mistake(name, parameter, given, text))
    elif strides := stride_mistake(kernel, name, parameter, given[len(given) - len(parameter.shape) :]):
        mistakes.append(strides)
    return mistakes


def described_mistakes(
    kernel: str, parameter: TensorParameter, shape: tuple[int, ...], dtype: np.dtype[Any]
) -> list[Diagnostic]:
    """Mistakes in a data set that is no array of NumPy, but has a shape and an element type."""
    expected = f"argument `{parameter.name}`", expected_shape(parameter), expected_text(parameter)
    return _described_mistakes(kernel, parameter, (shape, dtype), expected)


def fits_shape(shape: tuple[int, ...], expected: tuple[Extent, ...]) -> bool:
    """True if a shape has the expected sizes, any where None is expected."""
    return len(shape) == len(expected) and all(e in (None, s) for s, e in zip(shape, expected, strict=True))


def shape_mistake(name: str, parameter: ArrayParameter, shape: tuple[int, ...], expected: str) -> Diagnostic:
    """The array has another shape; where only the axis of the batch is wrong, that is said."""
    notes: tuple[str, ...] = ()
    one = expected_shape(parameter)
    if isinstance(parameter, TensorParameter) and parameter.batched:
        if fits_shape(shape, one[1:]):
            notes = ("the first axis counts the elements: `array[numpy.newaxis]` is a batch of one",)
        elif len(one) > 1 and fits_shape(shape[:-1], one[1:]):
            notes = ("the first axis counts the elements: `numpy.moveaxis(array, -1, 0)` puts the last axis there",)
    elif isinstance(parameter, TensorParameter) and fits_shape(shape[1:], one):
        notes = ("the tensor is one for all elements: it has no axis that counts them",)
    return Diagnostic("E0505", f"{name} has shape {shape}, expected {expected}", notes=notes)


def stride_mistake(kernel: str, name: str, parameter: ArrayParameter, shape: tuple[int, ...]) -> Diagnostic | None:
    """Where strides are declared, sizes can make entries overlap, or modes lie apart that the kernel walks as one.

    `shape` is that of the argument, or of one member of a group; None: the sizes fit.
    """
    layout = declared_layout(parameter, shape)
    if 0 in shape or (is_apart(layout) and lies_close(parameter, layout)):
        return None
    message = f"{name} has shape {shape}, for which `{kernel}` has strides {shape_text(layout.array_strides)}"
    why = "entries would overlap" if not is_apart(layout) else "it walks modes as one between which there are gaps"
    return Diagnostic("E0505", message, notes=(f"strides count elements: {why}",))


def element_type_mistake(name: str, parameter: ArrayParameter, dtype: np.dtype[Any]) -> Diagnostic:
    """The array has another element type."""
    expected = ELEMENT_TYPES[parameter.type]
    notes: tuple[str, ...] = ()
    if dtype.kind == "c" and expected.kind != "c":
        notes = (f"the tensor is real: `{parameter.name}[…] complex` declares one of complex numbers",)
    elif dtype.kind in "biufc":
        result = (f"the copy of `{parameter.name}` gets the result",) if parameter.is_written else ()
        notes = (f"arrays are not converted on the way: `.astype(numpy.{expected})` does it", *result)
    if is_bf16(expected):
        notes = ("`ml_dtypes.bfloat16` is NumPy's name of the type; bits are read so: `.view(ml_dtypes.bfloat16)`",)
    return Diagnostic("E0504", f"{name} has element type {dtype}, expected {expected}", notes=notes)


def read_only_mistake(name: str, kernel: str) -> Diagnostic:
    """The array cannot be written."""
    return Diagnostic("E0507", f"{name} is read-only, and `{kernel}` writes to it")


# -- memory of a device as an argument ---------------------------------------------------------------------------------
# Used where it lies, so it must lie as declared.


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
