"""`ef.einsum`: arrays in, array out, like `numpy.einsum`, on an OpenCL device."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from diagnostics import CompileError, Diagnostic
from einsum_front.compiled import CompiledKernel
from einsum_front.einsum_string import KERNEL, EinsumProgram, read_einsum
from einsum_front.interface import compile_program
from einsum_front.options import Options
from runtime.device import find

ELEMENT_TYPES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}

Array = NDArray[np.generic]
Shapes = tuple[tuple[int, ...], ...]


def einsum(subscripts: str, *operands: ArrayLike, device: str = "auto") -> Array:
    """The contraction of the operands that the subscripts describe, as `numpy.einsum` would give it.

    Operands are arrays of f32 or f64 (mixed ones are computed in f64). The kernel is compiled once for each string,
    shapes and type. An index that leads the result and every operand that has it becomes the batch. Raises
    `CompileError` with a place in the string if it does not fit the operands.
    """
    arrays = [np.asarray(operand) for operand in operands]
    real = _element_type(arrays)
    shapes = tuple(array.shape for array in arrays)
    if 0 in (extent for shape in shapes for extent in shape[1:]):
        return np.asarray(np.einsum(subscripts, *arrays))  # nothing to compute, and no kernel has an empty mode
    meaning, kernel = _compiled(subscripts, shapes, real, device)
    result = np.empty(meaning.output_shape, dtype=np.dtype({"f32": np.float32, "f64": np.float64}[real]))
    arguments = {
        argument.name: _with_batch(array.astype(result.dtype, copy=False), meaning, argument.is_batched)
        for argument, array in zip(meaning.operands, arrays, strict=True)
    }
    kernel(**arguments, **{meaning.output: _with_batch(result, meaning, is_batched=True)})
    return result


def _with_batch(array: Array, meaning: EinsumProgram, is_batched: bool) -> Array:
    """The array with the first axis that a batched argument has; of length 1 if no index of the string is the batch."""
    return array[None] if is_batched and not meaning.has_batch_index else array


@lru_cache(maxsize=256)
def _compiled(subscripts: str, shapes: Shapes, real: str, device: str) -> tuple[EinsumProgram, CompiledKernel]:
    meaning = read_einsum(subscripts, list(shapes), real)
    return meaning, compile_program(meaning.program, find(device), Options(device=device))[KERNEL]


def _element_type(arrays: list[Array]) -> str:
    for number, array in enumerate(arrays):
        if array.dtype not in ELEMENT_TYPES:
            message = f"operand {number} has element type {array.dtype}, expected float32 or float64"
            raise CompileError([Diagnostic("E0504", message)])
    return max((ELEMENT_TYPES[array.dtype] for array in arrays), default="f64")
