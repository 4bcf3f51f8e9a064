"""`ef.einsum`: arrays in, array out, like `numpy.einsum`, on an OpenCL device."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray

from diagnostics import CompileError, Diagnostic
from einsum_front import syntax
from einsum_front.compiled import CompiledKernel
from einsum_front.einsum_string import KERNEL, EinsumProgram, read_einsum, result_shape
from einsum_front.interface import compile_program
from einsum_front.options import FormOptions, Options
from runtime.device import find

ELEMENT_TYPES = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}

Array = NDArray[np.generic]
Shapes = tuple[tuple[int, ...], ...]


def einsum(
    subscripts: str, *operands: ArrayLike, device: str = "auto", form: str | None = None, tune: bool = False
) -> Array:
    """The contraction of the operands that the subscripts describe, as `numpy.einsum` would give it.

    Operands are arrays of f32 or f64 (mixed ones are computed in f64). An index that leads the result and every operand
    that has it becomes the batch; the kernel is compiled once for each string, type and shapes without the batch.
    `form` and `tune` are those of `compile`.
    Raises `CompileError` with a place in the string if it does not fit the operands.
    """
    if not isinstance(subscripts, str):
        message = f"the index string is of type {type(subscripts).__name__}, expected str"
        raise CompileError([Diagnostic("E0227", message)])
    arrays = [_array(number, operand) for number, operand in enumerate(operands)]
    real = max((ELEMENT_TYPES[array.dtype] for array in arrays), default="f64")
    shapes = tuple(array.shape for array in arrays)
    element_type = np.dtype({"f32": np.float32, "f64": np.float64}[real])
    if any(0 in shape for shape in shapes):
        return np.zeros(result_shape(subscripts, list(shapes)), element_type)  # no entry, or sums of nothing
    meaning = _read(subscripts, shapes, real)
    result = np.empty(meaning.output_shape, element_type)
    arguments = {
        argument.name: _with_batch(array.astype(element_type, copy=False), meaning, argument.is_batched)
        for argument, array in zip(meaning.operands, arrays, strict=True)
    }
    kernel = _compiled(meaning.program, device, FormOptions(form, tune))
    kernel(**arguments, **{meaning.output: _with_batch(result, meaning, is_batched=True)})
    return result


def _array(number: int, operand: ArrayLike) -> Array:
    """The operand as an array of f32 or f64."""
    try:
        array = np.asarray(operand)
    except ValueError:  # lists of different lengths
        raise CompileError([Diagnostic("E0504", f"operand {number} has no shape, expected an array")]) from None
    if array.dtype not in ELEMENT_TYPES:
        found = f"is of type {type(operand).__name__}" if array.dtype == object else f"has element type {array.dtype}"
        message = f"operand {number} {found}, expected an array of float32 or float64"
        raise CompileError([Diagnostic("E0504", message)])
    return array


def _with_batch(array: Array, meaning: EinsumProgram, is_batched: bool) -> Array:
    """The array with the first axis that a batched argument has; of length 1 if no index of the string is the batch."""
    return array[None] if is_batched and not meaning.has_batch_index else array


@lru_cache(maxsize=256)
def _read(subscripts: str, shapes: Shapes, real: str) -> EinsumProgram:
    return read_einsum(subscripts, list(shapes), real)


@lru_cache(maxsize=256)
def _compiled(program: syntax.Program, device: str, forms: FormOptions) -> CompiledKernel:
    """The kernel of a string; its program has no batch, so that kernels serve every one."""
    return compile_program(program, find(device), Options(device=device), forms)[KERNEL]
