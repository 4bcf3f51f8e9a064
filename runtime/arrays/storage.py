"""Host memory in the layout that a kernel wants, and copies between it and the caller's arrays.

Entries that a parameter declares to be zero are zero in a copy, whatever the caller's array holds there, and are left
alone when results are copied back.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, Layout
from einsum_front.runtime.devices.errors import allocating

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
