"""Host memory between files and devices: what a device copies fastest, and the same memory again and again."""

from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, Layout, declared_layout, entries_of_element
from einsum_front.runtime.arrays.storage import aligned_bytes, array_in
from einsum_front.runtime.artifact import TensorParameter
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.driver_errors import driver_errors
from einsum_front.runtime.devices.errors import allocating
from einsum_front.runtime.devices.opencl import cl


def staging_layout(parameter: TensorParameter, batch: int, shape: tuple[int, ...]) -> Layout:
    """The declared layout of so many elements of this shape."""
    return declared_layout(parameter, (batch, *shape))


def staging_bytes(parameter: TensorParameter, shape: tuple[int, ...]) -> int:
    """Bytes that memory for staging grows by for each element."""
    return entries_of_element(parameter, staging_layout(parameter, 1, shape)) * ELEMENT_TYPES[parameter.type].itemsize


def staging_array(parameter: TensorParameter, batch: int, shape: tuple[int, ...], device: Device) -> NDArray[Any]:
    """An array for so many elements in the declared layout, zero at first; page-locked where a device copies it.

    Raises CompileError if there is no memory (E0516, E0607).
    """
    layout = staging_layout(parameter, batch, shape)
    nbytes = max(1, layout.span) * ELEMENT_TYPES[parameter.type].itemsize
    memory = _plain(parameter, nbytes) if device.facts.shares_host_memory else _locked(parameter, nbytes, device)
    return array_in(memory, parameter.type, layout)


def _plain(parameter: TensorParameter, nbytes: int) -> NDArray[np.uint8]:
    with allocating(f"a chunk of argument `{parameter.name}`"):
        memory = aligned_bytes(nbytes)
    memory[...] = 0
    return memory


def _locked(parameter: TensorParameter, nbytes: int, device: Device) -> NDArray[np.uint8]:
    """Memory of the driver, mapped for as long as the array lives: a GPU copies it without a copy on the way."""
    with driver_errors("E0607", f"no memory for argument `{parameter.name}` on `{device.facts.name}`"):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR
        buffer = cl.Buffer(device.context, flags, nbytes)
        access = cast("cl.map_flags", cl.map_flags.READ | cl.map_flags.WRITE)  # versions of pyopencl make an int of it
        mapped, _ = cl.enqueue_map_buffer(device.queue, buffer, access, 0, (nbytes,), np.dtype(np.uint8))
    memory: NDArray[np.uint8] = mapped
    memory[...] = 0
    return memory
