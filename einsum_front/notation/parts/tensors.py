"""Tensors of complex numbers as those of their parts."""

from dataclasses import replace

import numpy as np

from einsum_front.core.extent import static_shape
from einsum_front.core.zero_pattern import Pattern
from einsum_front.notation import checked
from einsum_front.notation.parts.expressions import BOTH


def real_tensor(tensor: checked.Tensor) -> checked.Tensor:
    """The tensor of the parts: its last mode is theirs, and the fastest."""
    shape = (*tensor.shape, BOTH)
    pattern = tensor.nonzeros
    if pattern is not None:
        pattern = pattern.over([*range(len(tensor.shape)), None], static_shape(shape))
    values = None
    if tensor.values is not None:
        array = np.array(tensor.values).view(np.complex128)
        values = (*array.real.tolist(), *array.imag.tolist())
        known = Pattern.of_array(np.reshape(np.array(values), static_shape(shape), order="F"))
        pattern = None if known.is_full else known
    return replace(
        tensor,
        shape=shape,
        strides=(*(BOTH * stride for stride in tensor.strides), 1),
        batch_after=None if tensor.batch_after is None else tensor.batch_after + 1,
        nonzeros=pattern,
        values=values,
        is_complex=False,
    )
