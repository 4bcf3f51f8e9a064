"""Arguments whose values are known when compiling: the caller may leave them out, and cannot give others."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import Diagnostic
from einsum_front.core.numbers import in_parts
from einsum_front.runtime.arrays.device_arrays import memory_from
from einsum_front.runtime.arrays.layout import declared_layout, expected_shape
from einsum_front.runtime.arrays.storage import array_in, new_array
from einsum_front.runtime.arrays.values import ArrayValue, DeviceArray, HostArray, HostGroup, host_array
from einsum_front.runtime.artifact import Artifact, TensorParameter
from einsum_front.runtime.devices.context import queue_of
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.driver_errors import driver_errors
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.forked import use_drivers
from einsum_front.runtime.devices.opencl import cl


def known_arrays(artifact: Artifact, facts: DeviceFacts) -> dict[str, HostArray]:
    """The arguments that need not be given, by name; their zeros are where they belong, so nothing has to mask them."""
    parameters = (each for each in artifact.arguments if isinstance(each, TensorParameter) and each.values is not None)
    gaps = facts.shares_host_memory
    return {
        each.name: host_array(replace(each, nonzeros=None), known_array(each), allow_gaps=gaps) for each in parameters
    }


def known_array(parameter: TensorParameter) -> NDArray[Any]:
    """The known values in the element type and the declared layout, with the caller's axes; it cannot be written."""
    layout = declared_layout(parameter, tuple(size or 0 for size in expected_shape(parameter)))
    array = new_array(parameter.type, layout)
    values = np.array(parameter.values, in_parts(array).dtype)
    values = values.view(array.dtype) if array.dtype.kind == "c" else values
    array.transpose(layout.axes)[...] = np.reshape(values, layout.shape, order="F")
    array.flags.writeable = False
    return array


def known_value_mistakes(
    device: Device, known: Mapping[str, HostArray], arrays: Iterable[ArrayValue]
) -> Iterator[Diagnostic]:
    """Arguments that were given and differ from the values that the kernel was compiled for."""
    for value in arrays:
        expected = known.get(value.parameter.name)
        if isinstance(value, HostGroup) or expected is None or value is expected:
            continue
        given = value.array if isinstance(value, HostArray) else read_back(value, device)
        yield from _difference(value.parameter.name, given, expected.array)


def read_back(value: DeviceArray, device: Device) -> NDArray[Any]:
    """The entries of an array that is on the device, after what its queue still does to them."""
    use_drivers()
    memory = memory_from(value.memory, value.offset, value.nbytes)
    host = np.empty(value.nbytes, dtype=np.uint8)
    if isinstance(memory, cl.Buffer | cl.SVMPointer) and value.context is not None:
        with driver_errors("E0608", f"argument `{value.parameter.name}` cannot be read from `{device.facts.name}`"):
            if value.queue is not None:
                value.queue.finish()
            cl.enqueue_copy(queue_of(value.context, device.handle), host, memory)
    return array_in(host, value.parameter.type, value.layout)


def _difference(name: str, given: NDArray[Any], expected: NDArray[Any]) -> Iterator[Diagnostic]:
    differs = np.argwhere(given != expected)
    if len(differs):
        entry = tuple(map(int, differs[0]))
        found = f"{given[entry]!s} at {entry}" if entry else str(given[entry])
        message = f"argument `{name}` is {found}, but was {expected[entry]!s} when the kernel was compiled"
        note = f"{len(differs)} of {given.size} entries differ"
        yield Diagnostic("E0515", message, notes=(note,), helps=(f"leave `{name}` out: its values are known",))
