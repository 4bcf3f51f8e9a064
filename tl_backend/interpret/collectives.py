"""Collective instructions on whole arrays."""

import numpy as np

from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.interpret.evaluate import check_written, note_written
from einsum_front.tl_backend.interpret.frame import Frame, undefined
from einsum_front.tl_backend.scalars import DTYPES
from einsum_front.tl_backend.semantics import compute_type, index_maps, mode_uses


def update(instruction: tl.Collective, frame: Frame) -> None:
    """Carry out `target := alpha product + beta target`."""
    _check_shapes(instruction, frame)
    dtype = DTYPES[compute_type(instruction)]
    written = frame.memory(instruction.target.value)
    alpha = frame.scalar(instruction.alpha.value, instruction.alpha.type).astype(dtype)
    beta = frame.scalar(instruction.beta.value, instruction.beta.type).astype(dtype)
    for memref in (*instruction.inputs, *((instruction.target,) if beta != 0 else ())):
        check_written(instruction, frame.memory(memref.value), frame)
    inputs = [frame.memory(memref.value).astype(dtype) for memref in instruction.inputs]
    with np.errstate(all="ignore"):
        value = alpha * numpy_einsum(index_maps(instruction).subscripts, *inputs, optimize=True)
        if beta != 0:
            value = value + beta * written.astype(dtype)
        written[...] = value
    note_written(written, frame)


def _check_shapes(instruction: tl.Collective, frame: Frame) -> None:
    for axis, uses in mode_uses(instruction).items():
        found = {frame.memory(use.operand.value).shape[use.mode]: None for use in uses}
        if len(found) > 1:
            sizes = " and ".join(map(str, found))
            raise undefined(instruction, f"the shapes do not fit: {axis.letter} is {sizes}")
