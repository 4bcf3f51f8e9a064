"""Host memory in the layout that a kernel wants, copies between it and the caller's arrays, and which arrays need one.

Entries that a parameter declares to be zero are zero in a copy, whatever the caller's array holds there, and are left
alone when results are copied back.
"""

from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import in_parts
from einsum_front.runtime.arrays.layout import (
    ELEMENT_TYPES,
    Layout,
    declared_layout,
    layout_in_place,
    nonzero_mask,
    run_time_values,
)
from einsum_front.runtime.artifact import ArrayParameter, GroupParameter, ScalarParameter, TensorParameter, needs_zeros
from einsum_front.runtime.devices.errors import allocating
from einsum_front.runtime.devices.opencl import cl

ALIGNMENT = 128
"""Bytes: where the drivers of CPUs let a buffer start. Intel's copies the memory that starts elsewhere."""


def aligned_bytes(count: int) -> NDArray[np.uint8]:
    """Memory that starts at a multiple of `ALIGNMENT`; its contents are arbitrary."""
    memory = np.empty(count + ALIGNMENT, dtype=np.uint8)
    start = -memory.ctypes.data % ALIGNMENT
    return memory[start : start + count]


def array_in(memory: NDArray[np.uint8], element: str, layout: Layout) -> NDArray[Any]:
    """The caller's view of a tensor that lies in `memory` as the layout says."""
    dtype = ELEMENT_TYPES[element]
    strides = tuple(stride * dtype.itemsize for stride in layout.array_strides)
    return np.ndarray(layout.array_shape, dtype, buffer=memory.data, strides=strides)


def new_array(element: str, layout: Layout) -> NDArray[Any]:
    """An array in the layout, padding included; its contents are arbitrary."""
    with allocating(f"an array of shape {layout.array_shape}"):
        memory = aligned_bytes(layout.span * ELEMENT_TYPES[element].itemsize)
    return array_in(memory, element, layout)


def copy_in(target: NDArray[Any], source: NDArray[Any], mask: NDArray[np.bool_] | None) -> None:
    """Copy the entries under the mask, put zero into the others; the mask is for one element of the batch."""
    if mask is None:
        target[...] = source
    else:
        target[...] = 0
        np.copyto(target, source, where=mask)


def copy_back(target: NDArray[Any], source: NDArray[Any], mask: NDArray[np.bool_] | None) -> None:
    """Copy the entries under the mask, leave the others."""
    np.copyto(target, source, where=True if mask is None else mask)


@dataclass(frozen=True, slots=True, eq=False)
class Fit:
    """Fit of an array by its shape and strides: where the kernel finds its entries, and the numbers it gets.

    `layout` is that of the caller's array if `is_in_place`, otherwise the declared one, for a copy that has zeros
    outside of `mask`. `numbers` are what the calling convention passes after the pointer. `row` has the axes from the
    slowest to the fastest, None if there are gaps between entries, or no entries.
    """

    layout: Layout
    is_in_place: bool
    declared: Layout
    mask: NDArray[np.bool_] | None
    numbers: tuple[int, ...]
    row: tuple[int, ...] | None


def fit(
    parameter: ArrayParameter,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    *,
    allow_gaps: bool,
    is_aligned: bool = True,
) -> Fit:
    """Arrays with declared zeros are copied if the kernel reads them, those with gaps unless it runs on them."""
    declared = declared_layout(parameter, shape)
    mask = nonzero_mask(parameter, declared) if needs_zeros(parameter) else None
    in_place = layout_in_place(parameter, shape, strides) if mask is None and is_aligned else None
    if in_place is not None and in_place.has_gaps and not allow_gaps:
        in_place = None
    layout = in_place or declared
    row = None if layout.has_gaps or 0 in shape else layout.axes[::-1]
    return Fit(layout, in_place is not None, declared, mask, run_time_values(parameter, layout), row)


def fitted(parameter: ArrayParameter, array: NDArray[Any], how: Fit) -> NDArray[Any]:
    """The array itself or a copy of it, with its entries where the layout says."""
    if how.is_in_place:
        return array
    copy = new_array(parameter.type, how.layout)
    copy_in(copy, array, how.mask)
    return copy


def flat(array: NDArray[Any], how: Fit) -> NDArray[Any]:
    """The memory from the first to the last entry as one row; one entry of its own if the array is empty."""
    if how.row is not None:
        return array.transpose(how.row).reshape(-1)  # a view, made in a tenth of the time of the one below
    if how.layout.span == 0:
        return np.zeros(1, dtype=array.dtype)
    return as_strided(array, (how.layout.span,), (array.itemsize,), writeable=array.flags.writeable)


# -- the arguments of one launch after all checks: what is left can be launched ----------------------------------------


@dataclass(frozen=True, slots=True)
class ScalarValue:
    """A number in the type of its parameter."""

    parameter: ScalarParameter
    value: np.generic

    def parts(self) -> "tuple[ScalarValue, ...]":
        """The numbers that kernels take: of a complex one its parts, else itself."""
        if not self.parameter.is_complex:
            return (self,)
        pairs = zip(self.parameter.parts(), in_parts(np.asarray(self.value)), strict=True)
        return tuple(ScalarValue(parameter, part) for parameter, part in pairs)


@dataclass(frozen=True, slots=True, eq=False)
class HostArray:
    """A NumPy array of the right shape and element type, in any layout."""

    parameter: TensorParameter
    array: NDArray[Any]
    fit: Fit

    @property
    def batch(self) -> int | None:
        """Number of elements; None if the tensor is one for the whole launch."""
        return self.array.shape[0] if self.parameter.batched else None


@dataclass(frozen=True, slots=True, eq=False)
class DeviceArray:
    """Memory of a device in the declared layout, `offset` bytes into `memory` (None: no memory, no entries)."""

    parameter: TensorParameter
    memory: cl.MemoryObjectHolder | cl.SVMPointer | None
    offset: int
    layout: Layout
    context: cl.Context | None
    queue: cl.CommandQueue | None

    @property
    def batch(self) -> int | None:
        """Number of elements; None if the tensor is one for the whole launch."""
        return None if self.parameter.batch_mode is None else self.layout.shape[self.parameter.batch_mode]

    @property
    def nbytes(self) -> int:
        """Bytes from the first to the last entry."""
        return self.layout.span * ELEMENT_TYPES[self.parameter.type].itemsize


@dataclass(frozen=True, slots=True, eq=False)
class HostGroup:
    """NumPy arrays of the right shape and element type, one for each work-group, in any layout."""

    parameter: GroupParameter
    members: tuple[NDArray[Any], ...]

    @property
    def batch(self) -> int:
        """Number of members."""
        return len(self.members)


def host_array(parameter: TensorParameter, array: NDArray[Any], *, allow_gaps: bool) -> HostArray:
    """The array with what its shape and strides decide; the kernel runs on an array with gaps if these are allowed."""
    how = fit(parameter, array.shape, array.strides, allow_gaps=allow_gaps, is_aligned=array.flags.aligned)
    return HostArray(parameter, array, how)


ArrayValue = HostArray | DeviceArray | HostGroup
Value = ScalarValue | ArrayValue
