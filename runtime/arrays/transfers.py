"""Copies of whole arrays to a device and back, for time loops on arrays that stay there.

A kernel uses arrays of a device where they lie, so they must lie as declared. pyopencl makes and reads arrays in C or
Fortran order only: a batch of column-major matrices is neither.
"""

from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.arrays.allocation import array_mistake
from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.bus import bus_of
from einsum_front.runtime.arrays.host_arrays import check_host_array
from einsum_front.runtime.arrays.overlap import byte_range
from einsum_front.runtime.artifact import GroupParameter, TensorParameter
from einsum_front.runtime.devices.context import queue_of
from einsum_front.runtime.devices.errors import allocating, failure
from einsum_front.runtime.devices.opencl import Array, cl, driver_errors, use_drivers

PyopenclArray = Array
"""The type, for packages that do without pyopencl themselves."""


def to_device(kernel: str, parameter: TensorParameter | GroupParameter, array: object, place: Place) -> Array:
    """A copy in the declared layout, with zeros where the parameter declares them and in gaps between entries.

    Raises CompileError if the array is none for this parameter.
    """
    if isinstance(parameter, GroupParameter):
        notes = ("a launch takes NumPy arrays for it, one for each element, or a list of them",)
        raise failure("E0503", f"argument `{parameter.name}` is a group, which has no single array on a device", notes)
    checked = check_host_array(kernel, replace(parameter, is_written=False), array, allow_gaps=True)
    if isinstance(checked, list):
        raise CompileError(checked)
    how, layout = checked.fit, checked.fit.declared
    if how.layout != layout:
        how = replace(how, layout=layout, is_in_place=False)
    dtype = checked.array.dtype
    with driver_errors("E0607", f"no memory for argument `{parameter.name}` on `{place.facts.name}`"):
        buffer = cl.Buffer(place.context, cl.mem_flags.READ_WRITE, max(1, layout.span) * dtype.itemsize)
        if layout.has_gaps:  # the only bytes that are not sent
            cl.enqueue_fill_buffer(place.queue, buffer, np.zeros(1, dtype), 0, layout.span * dtype.itemsize).wait()
    bus_of(place.context, place.queue.device).carry_in(buffer, checked.array, how)
    strides = tuple(stride * dtype.itemsize for stride in layout.array_strides)
    return Array(place.queue, layout.array_shape, dtype, strides=strides, data=buffer)


def upload(array: NDArray[Any], memory: NDArray[np.uint8], place: Place) -> Array:
    """A pyopencl array over a copy of `memory`, in which it has the place that the NumPy array has in the memory."""
    with driver_errors("E0607", f"no memory for an array of shape {array.shape} on `{place.facts.name}`"):
        flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
        buffer = cl.Buffer(place.context, flags, hostbuf=memory)
    start = array.ctypes.data - memory.ctypes.data
    return Array(place.queue, array.shape, array.dtype, strides=array.strides, data=buffer, offset=start)


def download(array: Array, memory: NDArray[np.uint8]) -> None:
    """Copies all of the memory that `upload` has made for an array back, gaps included."""
    with driver_errors("E0608", "an array cannot be copied from the device"):
        cl.enqueue_copy(cast("cl.CommandQueue", array.queue), memory, cast("cl.Buffer", array.base_data))


def to_host(array: Array) -> NDArray[Any]:
    """The entries of an array of a device as a NumPy array; waits for what is queued before it.

    Parameters
    ----------
    array : pyopencl.array.Array
        Of any shape, type and positive strides.

    Returns
    -------
    numpy.ndarray
        A copy with the same shape, type and strides.

    Raises
    ------
    CompileError
        If the array runs backwards (E0506), or the device fails.
    TypeError
        If it is no array of pyopencl.

    Examples
    --------
    >>> import numpy as np
    >>> import einsum_front as ef
    >>> double = ef.compile(ef.parse("tensor A[4] kernel double { A[i] = 2 * A[i] }"), device="cpu")["double"]
    >>> A = double.to_device("A", np.ones((3, 4)))
    >>> double(A=A)
    >>> ef.to_host(A).sum()
    np.float64(24.0)
    """
    if not isinstance(array, Array):
        raise TypeError(f"to_host takes a pyopencl array, and this is of type {type(array).__name__}")
    use_drivers()
    if any(stride < 0 for stride in array.strides):
        raise failure("E0506", f"an array of strides {array.strides} runs backwards, and is not copied from the device")
    mistake = array_mistake("the array", array)
    if mistake is not None:
        raise CompileError([mistake])
    _, stop = byte_range(0, array.shape, array.strides, array.dtype.itemsize)
    with allocating(f"a copy of an array of shape {array.shape}"):
        memory = np.empty(stop if array.size else 0, np.uint8)
    if array.size:
        context = cast("cl.Context", array.context)  # None only without data
        queue = array.queue or queue_of(context, context.devices[0])
        array.finish()
        queue.finish()
        with driver_errors("E0608", "an array cannot be copied from the device"):
            if isinstance(array.base_data, cl.MemoryObjectHolder):
                there = cast("cl.Buffer", array.base_data)
                bus_of(context, queue.device).carry_bytes_out(memory, there, array.offset)
            else:
                cl.enqueue_copy(queue, memory, cast("cl.Buffer", array.base_data), src_offset=array.offset)
    return np.ndarray(array.shape, array.dtype, memory.data, strides=array.strides)
