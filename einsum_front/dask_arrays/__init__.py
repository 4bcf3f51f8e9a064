"""Arrays of dask: index strings and kernels on them are lazy, and run where dask runs.

`worker` is what a worker needs: text and numbers, no objects of a device. dask is imported by what makes its arrays.
"""

from einsum_front.dask_arrays.arrays import is_dask
from einsum_front.dask_arrays.worker import Array, Shipped, builds, built, device_here

__all__ = ["Array", "Shipped", "builds", "built", "device_here", "is_dask"]
