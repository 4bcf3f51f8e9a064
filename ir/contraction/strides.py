"""How tensors lie if nothing is said of it, and strides that mean nothing."""

from collections.abc import Sequence

from einsum_front.core.extent import Extent, capacity, is_at_most
from einsum_front.core.storage import Storage
from einsum_front.ir.tensor import Tensor


def column_major(shape: Sequence[Extent], storage: Storage) -> tuple[Extent, ...]:
    """The strides of a tensor without gaps, the first mode fastest; a temporary has room for the largest extents."""
    strides: list[Extent] = []
    stride: Extent = 1
    for extent in shape:
        strides.append(stride)
        stride = stride * (capacity(extent) if storage is Storage.TEMPORARY else extent)
    return tuple(strides)


def nested(tensor: Tensor) -> tuple[Extent, ...]:
    """The strides, where a mode of one position that would end inside of another mode has stride 1.

    Its stride means nothing, and memrefs have to be column-major.
    """
    nested = list(tensor.strides)
    end: Extent = 1
    for mode in tensor.modes_by_stride:
        if tensor.shape[mode] == 1 and not is_at_most(capacity(end), capacity(nested[mode])):
            nested[mode] = 2 if tensor.is_complex else 1  # behind the parts
        else:
            end = nested[mode] * tensor.shape[mode]
    return tuple(nested)
