"""Host memory whose pages stay where they are: a GPU reads and writes it itself, at the speed of the bus.

Of other memory the driver makes such copies, 7 to 14 GB/s of 54 on an NVIDIA H100. To lock pages takes long, 0.6 ms for
a MiB there, so what is locked is kept.
"""

from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import DTypeLike, NDArray

from einsum_front.core.signatures import shown_without_types
from einsum_front.runtime.devices.context import context_of, queue_of
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.devices.opencl import cl, driver_errors
from einsum_front.runtime.devices.room import no_room


class Lent:
    """Page-locked memory in a context that arrays are views of: it lives as long as the last of them.

    NumPy's own views refer to the first array of all, whatever views lie between.
    """

    def __init__(self, memory: NDArray[np.uint8], context: cl.Context) -> None:
        self.context = context
        self.__array_interface__ = memory.__array_interface__
        self._memory = memory


def locked_bytes(nbytes: int, context: cl.Context, device: cl.Device) -> NDArray[np.uint8]:
    """Memory of the driver, mapped while the array lives, its contents arbitrary; raises CompileError (E0607)."""
    with driver_errors("E0607", f"no page-locked memory of {nbytes} bytes for `{device.name.strip()}`"):
        buffer = cl.Buffer(context, cl.mem_flags.READ_WRITE | cl.mem_flags.ALLOC_HOST_PTR, nbytes)
        access = cast("cl.map_flags", cl.map_flags.READ | cl.map_flags.WRITE)  # versions of pyopencl make an int of it
        mapped, _ = cl.enqueue_map_buffer(queue_of(context, device), buffer, access, 0, (nbytes,), np.dtype(np.uint8))
    return np.asarray(Lent(cast("NDArray[np.uint8]", mapped), context))


def is_locked(array: NDArray[Any], context: cl.Context) -> bool:
    """True if the memory of an array was made here for this context, whatever views lie between.

    For the driver of another context it is memory like any other.
    """
    owner: object = array
    while isinstance(owner, np.ndarray):
        owner = owner.base
    return isinstance(owner, Lent) and owner.context == context


@shown_without_types
def empty_pinned(
    shape: int | tuple[int, ...], dtype: DTypeLike = np.float64, device: str | int = "auto"
) -> NDArray[Any]:
    """A NumPy array that a GPU copies at the speed of the bus, its contents arbitrary; C order.

    Parameters
    ----------
    shape : int or tuple of int
        As in `numpy.empty`.
    dtype : dtype_like
        Likewise.
    device : str or int
        The device that will read or write it, as in `compile`. On a processor the array is like any other.

    Returns
    -------
    numpy.ndarray
        Of this shape and type, in C order.

    Raises
    ------
    CompileError
        If there is no such device (E060x), or no memory (E0516, E0607).

    Examples
    --------
    >>> import einsum_front as ef
    >>> ef.empty_pinned((1000, 20, 9)).shape
    (1000, 20, 9)
    """
    kind, found = np.dtype(dtype), find_device(device)
    sizes = (shape,) if isinstance(shape, int | np.integer) else tuple(shape)
    nbytes = prod(sizes) * kind.itemsize
    if nbytes == 0 or found.opencl is None or found.facts.shares_host_memory:
        try:
            return np.empty(sizes, kind)
        except MemoryError:
            raise no_room(sizes, kind) from None
    return locked_bytes(nbytes, context_of(found.opencl), found.opencl).view(kind).reshape(sizes)
