"""Host memory between files and devices: what a device copies fastest, and the same memory again and again."""

from typing import Any

from numpy.typing import NDArray

from einsum_front.runtime.arrays.bus import bus_of
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, Layout, declared_layout, entries_of_element
from einsum_front.runtime.arrays.storage import aligned_bytes, array_in
from einsum_front.runtime.artifact import TensorParameter, needs_zeros
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.errors import allocating


def staging_layout(parameter: TensorParameter, batch: int, shape: tuple[int, ...]) -> Layout:
    """The declared layout of so many elements of this shape."""
    return declared_layout(parameter, (batch, *shape))


def staging_bytes(parameter: TensorParameter, shape: tuple[int, ...]) -> int:
    """Bytes that memory for staging grows by for each element."""
    return entries_of_element(parameter, staging_layout(parameter, 1, shape)) * ELEMENT_TYPES[parameter.type].itemsize


def staging_array(parameter: TensorParameter, batch: int, shape: tuple[int, ...], device: Device) -> NDArray[Any]:
    """An array for so many elements in the declared layout, zero where no entries are; page-locked where a device
    copies it.

    Raises CompileError if there is no memory (E0516, E0607).
    """
    layout = staging_layout(parameter, batch, shape)
    nbytes = max(1, layout.span) * ELEMENT_TYPES[parameter.type].itemsize
    if device.facts.shares_host_memory:
        with allocating(f"a chunk of argument `{parameter.name}`"):
            memory = aligned_bytes(nbytes)
    else:
        memory = bus_of(device.context, device.handle).kept_bytes(nbytes)
    if layout.has_gaps or needs_zeros(parameter):
        memory[...] = 0
    return array_in(memory, parameter.type, layout)
