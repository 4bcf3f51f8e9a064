"""Arrays of dask: index strings and kernels on them are lazy, and run where dask runs.

`worker` is what a worker needs: text and numbers, no objects of a device. dask is imported by what makes its arrays.
"""

from collections.abc import Mapping
from typing import Any

from einsum_front.dask_arrays.arrays import Dispatched, is_dask
from einsum_front.dask_arrays.worker import Array, Shipped, builds, built, device_here

__all__ = ["Array", "Shipped", "builds", "built", "device_here", "is_dask", "kernel_on_dask"]


def kernel_on_dask(kernel: Dispatched, arguments: Mapping[str, object]) -> Any:
    """The outputs of a kernel as arrays of dask, by name if there are several; nothing runs."""
    from einsum_front.dask_arrays.kernels import outputs_of  # noqa: PLC0415 - it loads dask

    return outputs_of(kernel, arguments)
