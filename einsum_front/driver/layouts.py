"""Arguments of a kernel in layouts that it does not declare, in memory of which every byte is watched.

What a call computes must not depend on how arrays lie, and what lies between their entries is the caller's.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from enum import Enum
from itertools import cycle
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import in_parts
from einsum_front.runtime import (
    Device,
    Kernel,
    Place,
    PyopenclArray,
    aligned_bytes,
    allocating,
    byte_range,
    download,
    known_array,
    memref_axes,
    spaced_layout,
    start_alignment,
    upload,
)
from einsum_front.runtime.artifact import (
    COMPLEX,
    ArrayParameter,
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    TensorParameter,
)

GAP = 3
"""Elements between modes."""

WATCHED = range(0xFF, 0xF7, -1)
"""What bytes are that are no entries, for one argument after the other, so that it shows where they are copied.

As floating-point numbers these are NaN or large, so that it shows where they are read.
"""


class Arrangement(Enum):
    """How all arrays of a call lie; the value is its name in words."""

    PADDED = "padded arrays"
    """In the order of the memref, with gaps behind all modes."""
    C_ORDER = "C order"
    REVERSED = "reversed arrays"
    """In the order of the memref, the last entry of each mode first."""
    DEVICE = "device arrays"
    """As the kernel takes them, with gaps where it allows any. Groups are NumPy arrays."""


def arrangements(device: Device) -> tuple[Arrangement, ...]:
    """All that arguments on a device can have: device `c` has no memory of its own."""
    return tuple(each for each in Arrangement if device.opencl is not None or each is not Arrangement.DEVICE)


@dataclass(frozen=True, slots=True)
class Outcome:
    """Entries that a call left in what it writes, and the arguments of which it changed other bytes."""

    results: Mapping[str, NDArray[Any]]
    damaged: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Block:
    """An array in memory of its own, what all of that was before the call, and a copy of both on the device."""

    array: NDArray[Any]
    memory: NDArray[np.uint8]
    before: NDArray[np.uint8]
    copy: PyopenclArray | None

    def bring_back(self) -> None:
        """The array is what the kernel has left of it, wherever it was."""
        if self.copy is not None:
            download(self.copy, self.memory)

    def is_damaged(self, *, is_written: bool) -> bool:
        """True if bytes differ from before that the kernel does not write."""
        expected = self.before.copy()
        if is_written:
            start = self.array.ctypes.data - self.memory.ctypes.data
            written = np.ndarray(self.array.shape, self.array.dtype, expected.data, start, self.array.strides)
            written[...] = self.array
        return not np.array_equal(expected, self.memory)


def run_arranged(
    artifact: Artifact, device: Device, given: Mapping[str, object], groups: int, arrangement: Arrangement
) -> Outcome:
    """Runs so many work-groups on copies of the arguments, NumPy arrays and numbers, that lie as it says."""
    arrays = [p for p in artifact.arguments if not isinstance(p, ScalarParameter) and p.name in given]
    shapes = {p.name: np.asarray(given[p.name]).shape for p in arrays}
    blocks = {
        p.name: list(_blocks(p, np.asarray(given[p.name]), arrangement, device, watched))
        for p, watched in zip(arrays, cycle(WATCHED), strict=False)
    }
    arguments = dict(given)
    for parameter in arrays:
        lying = [block.array if block.copy is None else block.copy for block in blocks[parameter.name]]
        arguments[parameter.name] = lying if isinstance(parameter, GroupParameter) else lying[0]
    Kernel(artifact, device)(groups, **arguments)
    for block in (block for found in blocks.values() for block in found):
        block.bring_back()
    damaged = [p.name for p in arrays if any(b.is_damaged(is_written=p.is_written) for b in blocks[p.name])]
    written = (p.name for p in arrays if p.is_written)
    results = {name: np.reshape([b.array for b in blocks[name]], shapes[name]) for name in written}
    return Outcome(results, tuple(damaged))


def _blocks(
    parameter: ArrayParameter, array: NDArray[Any], arrangement: Arrangement, device: Device, watched: int
) -> Iterator[_Block]:
    """One for the argument, or one for each member of a group."""
    if isinstance(parameter, GroupParameter):
        for member in array:
            yield _block(parameter, np.asarray(member), arrangement, None, watched)
    else:
        yield _block(parameter, array, arrangement, device if arrangement is Arrangement.DEVICE else None, watched)


def _block(
    parameter: ArrayParameter, entries: NDArray[Any], arrangement: Arrangement, device: Device | None, watched: int
) -> _Block:
    """The entries in the middle of watched memory."""
    itemsize = entries.itemsize
    strides = tuple(itemsize * stride for stride in _strides(parameter, entries.shape, arrangement))
    first, last = byte_range(0, entries.shape, strides, itemsize) if entries.size else (0, itemsize)
    room = GAP * itemsize if device is None else start_alignment(itemsize, device.facts)
    with allocating(f"a copy of argument `{parameter.name}`"):
        memory = aligned_bytes(last - first + 2 * room)
        memory[...] = watched
    array = np.ndarray(entries.shape, entries.dtype, memory.data, room - first, strides)
    array[...] = entries
    copy = None
    if device is not None:
        copy = upload(array, memory, Place(device.context, device.queue, device.facts))
    return _Block(array, memory, memory.copy(), copy)


def _strides(parameter: ArrayParameter, shape: tuple[int, ...], arrangement: Arrangement) -> tuple[int, ...]:
    """In elements, for the axes of the array."""
    axes = memref_axes(parameter)
    match arrangement:
        case Arrangement.PADDED:
            return _stacked(shape, axes, GAP)
        case Arrangement.C_ORDER:
            return _stacked(shape, tuple(reversed(range(len(shape)))), 0)
        case Arrangement.REVERSED:
            return tuple(-stride for stride in _stacked(shape, axes, 0))
        case Arrangement.DEVICE:
            return spaced_layout(parameter, shape, GAP).array_strides


def _stacked(shape: tuple[int, ...], axes: tuple[int, ...], gap: int) -> tuple[int, ...]:
    """Strides of axes from the fastest to the slowest, with a gap behind each."""
    strides = [0] * len(shape)
    least = 1
    for axis in axes:
        strides[axis] = least
        least = least * max(1, shape[axis]) + gap
    return tuple(strides)


# -- arguments of a call as the interpreters of single levels take them ------------------------------------------------
# Views on the same memory. Functions over parts have a mode for these, where the caller has complex numbers.

Arguments = dict[str, object]


def yateto_views(parameters: Mapping[str, Parameter], arguments: Arguments) -> Arguments:
    """The arguments of a function of the YATeTo language."""
    return dict(_views(parameters, arguments, _yateto_view))


def _views(
    parameters: Mapping[str, Parameter], given: Arguments, view: Callable[[Parameter, object], object]
) -> Iterator[tuple[str, object]]:
    """Arguments as a function over parts has them, and those that the caller need not give."""
    given = _known(parameters) | given
    for name, value in given.items():
        parameter = parameters[name]
        if isinstance(parameter, ScalarParameter) and parameter.is_complex:
            number = complex(np.asarray(value).item())
            yield from zip((each.name for each in parameter.parts()), (number.real, number.imag), strict=True)
        else:
            yield name, view(parameter, value)


def _known(parameters: Mapping[str, Parameter]) -> Arguments:
    """The arguments whose values are known when compiling, which these interpreters ask for like any other."""
    constants = (p for p in parameters.values() if isinstance(p, TensorParameter) and p.values is not None)
    return {parameter.name: known_array(parameter) for parameter in constants}


def _yateto_view(parameter: Parameter, value: object) -> object:
    """The argument with the modes of the memref in their order, the batch first; parts are the first mode."""
    if not isinstance(parameter, ScalarParameter) and parameter.type in COMPLEX:
        value = in_parts(np.asarray(value))
        parameter = replace(parameter, type=COMPLEX[parameter.type], modes=(len(parameter.modes), *parameter.modes))
    match parameter:
        case ScalarParameter():
            return value
        case TensorParameter(batched=False, modes=modes):
            return np.asarray(value).transpose(modes)
        case TensorParameter(modes=modes):
            return np.asarray(value).transpose(0, *(mode + 1 for mode in modes))
        case GroupParameter(modes=modes):
            array = np.asarray(value)
            return [array[item, ...].transpose(modes) for item in range(len(array))]


def tensor_language_views(parameters: Mapping[str, Parameter], arguments: Arguments) -> Arguments:
    """The arguments of a function of the tensor language."""
    return dict(_views(parameters, arguments, _tensor_language_view))


def _tensor_language_view(parameter: Parameter, value: object) -> object:
    """The argument with the modes of the memref in their order, the batch where the memref has it."""
    view = _yateto_view(parameter, value)
    if isinstance(parameter, TensorParameter) and parameter.batch_mode is not None:
        parts = 1 if parameter.type in COMPLEX else 0
        return np.moveaxis(np.asarray(view), 0, parameter.batch_mode + parts)
    return view
