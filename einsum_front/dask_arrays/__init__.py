"""Arrays of dask: index strings and kernels on them are lazy, and run where dask runs.

`worker` is what a worker needs: text and numbers, no objects of a device. dask is imported by what makes its arrays.
"""

from typing import TYPE_CHECKING

from einsum_front.core.facade import facade

if TYPE_CHECKING:
    from einsum_front.dask_arrays.arrays import is_dask as is_dask
    from einsum_front.dask_arrays.kernels import kernel_on_dask as kernel_on_dask
    from einsum_front.dask_arrays.worker import Array as Array
    from einsum_front.dask_arrays.worker import Shipped as Shipped
    from einsum_front.dask_arrays.worker import builds as builds
    from einsum_front.dask_arrays.worker import built as built
    from einsum_front.dask_arrays.worker import device_here as device_here

__getattr__, __dir__, __all__ = facade(
    __name__,
    {
        ".arrays": ("is_dask",),
        ".kernels": ("kernel_on_dask",),
        ".worker": ("Array", "Shipped", "builds", "built", "device_here"),
    },
)
