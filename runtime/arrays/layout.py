"""Where the entries of an argument lie: from the memref of a parameter to the axes of the caller's array.

The caller's array has the user's modes in the user's order, the batch first; the memref has its modes in the order of
their strides, the batch among them, mostly last. Sizes and strides count elements, except where bytes are named.
Errors say what was expected and what was found in the words at the end.
"""

from collections.abc import Iterable, Iterator
from math import prod
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Polynomial
from einsum_front.core.extent_text import word
from einsum_front.core.numbers import Dtypes
from einsum_front.runtime.artifact import (
    COMPLEX,
    ArrayParameter,
    Extent,
    GroupParameter,
    Parameter,
    ScalarParameter,
    TensorParameter,
)

Value = TypeVar("Value")

ELEMENT_TYPES = Dtypes(
    {
        "i1": np.bool_,
        "i8": np.int8,
        "i16": np.int16,
        "i32": np.int32,
        "i64": np.int64,
        "u8": np.uint8,
        "u16": np.uint16,
        "u32": np.uint32,
        "u64": np.uint64,
        "index": np.int64,
        "f32": np.float32,
        "f64": np.float64,
        "f16": np.float16,
        "c32": np.complex64,
        "c64": np.complex128,
    },
    "bf16",
)
"""The NumPy type of every element of an argument; a scalar argument cannot be an `i1`."""


@dataclass(frozen=True, slots=True)
class Layout:
    """Sizes and strides of a memref at one launch; mode i is axis `axes[i]` of the caller's array."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]
    axes: tuple[int, ...]

    @property
    def array_shape(self) -> tuple[int, ...]:
        """The shape of the caller's array."""
        return _permuted(self.shape, self.axes)

    @property
    def array_strides(self) -> tuple[int, ...]:
        """The strides of the caller's array."""
        return _permuted(self.strides, self.axes)

    @property
    def span(self) -> int:
        """Number of elements from the first to the last entry, both included; 0 for an empty array."""
        if 0 in self.shape:
            return 0
        return 1 + sum((size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True))

    @property
    def has_gaps(self) -> bool:
        """True if there are elements between entries that are no entries."""
        return self.span != prod(self.shape)


def batch_mode(parameter: ArrayParameter) -> int | None:
    """The mode of the memref that counts the elements."""
    return parameter.batch_mode if isinstance(parameter, TensorParameter) else None


def modes_of_element(parameter: ArrayParameter) -> tuple[int, ...]:
    """The modes of the memref but for that of the batch."""
    return tuple(mode for mode in range(len(parameter.shape)) if mode != batch_mode(parameter))


def apart(parameter: TensorParameter, layout: Layout) -> int:
    """Entries from one element to the next in a layout of the parameter."""
    return layout.strides[parameter.batch_mode or 0]


def entries_of_element(parameter: TensorParameter, layout: Layout) -> int:
    """How many entries the memory grows by for each element of the batch, in a layout of the parameter."""
    if parameter.batch_mode is None:
        return 0
    most = max(size * stride for size, stride in zip(layout.shape, layout.strides, strict=True))
    return most // max(1, layout.shape[parameter.batch_mode])


def has_run_time_extents(parameter: ArrayParameter) -> bool:
    """True if the launch decides where the entries of an element lie."""
    return any(parameter.shape[mode] is None or parameter.strides[mode] is None for mode in modes_of_element(parameter))


def span(parameter: ArrayParameter) -> int:
    """Entries from the first to the last one of an element, both included, where that is known."""
    return 1 + sum(((parameter.shape[m] or 1) - 1) * (parameter.strides[m] or 1) for m in modes_of_element(parameter))


def distance(parameter: TensorParameter) -> int:
    """Entries from one element to the next, where that is known; without a batch, the entries that there are."""
    return span(parameter) if parameter.batch_mode is None else (parameter.strides[parameter.batch_mode] or 1)


def memref_axes(parameter: ArrayParameter) -> tuple[int, ...]:
    """The axis of the caller's array (of one member of a group) for every mode of the memref."""
    place = batch_mode(parameter)
    if place is None:
        return parameter.modes
    axes = [mode + 1 for mode in parameter.modes]
    return (*axes[:place], 0, *axes[place:])


def named_axes(parameter: ArrayParameter) -> Iterator[tuple[Polynomial, int]]:
    """The extents that sizes make, each with its axis of the caller's array."""
    axes = memref_axes(parameter)
    for extent, mode in zip(parameter.sizes, modes_of_element(parameter), strict=False):
        if extent is not None:
            yield extent, axes[mode]


def expected_shape(parameter: ArrayParameter) -> tuple[Extent, ...]:
    """The shape that the caller's array (one member of a group) must have; None: any size will do."""
    return _permuted(parameter.shape, memref_axes(parameter))


def element_shape(parameter: ArrayParameter) -> tuple[Extent, ...]:
    """The shape of the caller's array without the batch; None where the type leaves a size open."""
    shape = expected_shape(parameter)
    return shape[1:] if isinstance(parameter, TensorParameter) and parameter.batched else shape


def declared_layout(parameter: ArrayParameter, array_shape: tuple[int, ...]) -> Layout:
    """The layout that the parameter declares; run-time strides are the smallest that the type allows."""
    axes = memref_axes(parameter)
    return _with_least_strides(tuple(array_shape[axis] for axis in axes), parameter.strides, axes)


def layout_in_place(
    parameter: ArrayParameter, array_shape: tuple[int, ...], byte_strides: tuple[int, ...]
) -> Layout | None:
    """The layout of an array with these strides if the kernel can work on it where it lies, else None.

    Fixed strides must be as declared; run-time strides may be any that the type of a memref allows, `1 <= S_1` and
    `S_{i-1} s_{i-1} <= S_i`, unless the kernel walks modes as one (`fused`): these must lie close. The stride of a mode
    of size 1 is never used, so it is what suits its neighbours.
    """
    declared = declared_layout(parameter, array_shape)
    if 0 in array_shape:
        return declared
    itemsize = ELEMENT_TYPES[parameter.type].itemsize
    strides = list(parameter.strides)
    for mode in reversed(range(len(strides))):
        size, axis, fixed = declared.shape[mode], declared.axes[mode], parameter.strides[mode]
        if size == 1 and fixed is None:
            strides[mode] = next((strides[j] for k, j in parameter.fused if k == mode), None)
        elif size > 1:
            strides[mode], rest = divmod(byte_strides[axis], itemsize)
            if rest or fixed not in (None, strides[mode]):
                return None
    layout = _with_least_strides(declared.shape, strides, declared.axes)
    return layout if is_apart(layout) and lies_close(parameter, layout) else None


def is_apart(layout: Layout) -> bool:
    """True if each mode starts behind the one before it, as the type of a memref asks for."""
    leasts = (1, *(size * stride for size, stride in zip(layout.shape, layout.strides, strict=True)))
    return all(stride >= least for stride, least in zip(layout.strides, leasts, strict=False))


def follows(layout: Layout, k: int, j: int) -> bool:
    """True if mode j of the memref goes on where mode k ends, so that the two can be walked as one."""
    return layout.strides[k] * layout.shape[k] == layout.strides[j]


def lies_close(parameter: ArrayParameter, layout: Layout) -> bool:
    """True if all modes that the kernel walks as one follow each other."""
    return all(follows(layout, k, j) for k, j in parameter.fused)


def _with_least_strides(shape: tuple[int, ...], known: Iterable[Extent], axes: tuple[int, ...]) -> Layout:
    """Strides that are not known are the smallest that a memref can have behind those before them."""
    strides: list[int] = []
    least = 1
    for size, stride in zip(shape, known, strict=True):
        strides.append(least if stride is None else stride)
        least = max(1, size) * strides[-1]
    return Layout(shape, tuple(strides), axes)


def spaced_layout(parameter: ArrayParameter, array_shape: tuple[int, ...], gap: int) -> Layout:
    """A layout with so many elements between modes where the kernel can work on such arrays, else the declared one."""
    declared = declared_layout(parameter, array_shape)
    shape = declared.shape
    strides: list[int] = []
    least = 1
    for mode, (size, fixed) in enumerate(zip(shape, parameter.strides, strict=True)):
        close = next((shape[k] * strides[k] for k, j in parameter.fused if j == mode), None)
        strides.append(fixed or close or least + gap)
        least = max(1, size) * strides[-1]
    spaced = Layout(shape, tuple(strides), declared.axes)
    return spaced if is_apart(spaced) and lies_close(parameter, spaced) else declared


def run_time_values(parameter: ArrayParameter, layout: Layout) -> tuple[int, ...]:
    """Numbers that the calling convention passes after the pointer: the dynamic sizes, then the dynamic strides.

    Strides count real numbers there, of which a complex one has two.
    """
    sizes = [size for size, fixed in zip(layout.shape, parameter.shape, strict=True) if fixed is None]
    strides = [stride for stride, fixed in zip(layout.strides, parameter.strides, strict=True) if fixed is None]
    parts = 2 if parameter.type in COMPLEX else 1
    return (*sizes, *(parts * stride for stride in strides))


def nonzero_mask(parameter: ArrayParameter, layout: Layout) -> NDArray[np.bool_] | None:
    """Which entries of one element may differ from zero, with the user's axes; None if all may."""
    return element_mask(parameter, tuple(layout.shape[mode] for mode in modes_of_element(parameter)))


def element_mask(parameter: ArrayParameter, shape: tuple[int, ...]) -> NDArray[np.bool_] | None:
    """The same, for the sizes of the modes of one element."""
    if parameter.nonzeros is None:
        return None
    mask = np.zeros(prod(shape), dtype=np.bool_)
    for start, stop in parameter.nonzeros:
        mask[start:stop] = True
    if mask.all():
        return None
    return mask.reshape(shape, order="F").transpose(np.argsort(parameter.modes))


def _permuted(values: tuple[Value, ...], axes: tuple[int, ...]) -> tuple[Value, ...]:
    placed = dict(zip(axes, values, strict=True))
    return tuple(placed[axis] for axis in range(len(axes)))


def shape_text(sizes: Iterable[object]) -> str:
    """A shape as Python prints it, whatever stands for the sizes."""
    words = [str(size) for size in sizes]
    return f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"


def element_text(parameter: ArrayParameter) -> str:
    """The shape of one element of the batch: `(56, 9)`."""
    return shape_text(_element_sizes(parameter))


def expected_text(parameter: ArrayParameter) -> str:
    """The shape of the whole argument: `(batch, 56, 9)`, or `(56, 9)` if it is one for the whole launch."""
    sizes = _element_sizes(parameter)
    match parameter:
        case TensorParameter(batched=False):
            return shape_text(sizes)
        case TensorParameter():
            count = parameter.batch_size
            return shape_text(["batch" if count is None else str(count), *sizes])
        case GroupParameter():
            return shape_text(["batch", *sizes])


def parameter_text(parameter: Parameter) -> str:
    """Description of the value that belongs in the place of a parameter."""
    match parameter:
        case ScalarParameter(_, scalar):
            return f"a number, {scalar}"
        case TensorParameter() | GroupParameter():
            return f"an array of {ELEMENT_TYPES[parameter.type]}, shape {expected_text(parameter)}"


def _element_sizes(parameter: ArrayParameter) -> list[str]:
    """Sizes in the user's order; a dynamic one is its extent, or `?` if nothing is said of it."""
    words = ["?"] * len(parameter.modes)
    for i, (place, mode) in enumerate(zip(modes_of_element(parameter), parameter.modes, strict=True)):
        extent = parameter.sizes[i] if parameter.sizes else None
        size = parameter.shape[place]
        words[mode] = str(size) if size is not None else "?" if extent is None else word(extent)
    return words
