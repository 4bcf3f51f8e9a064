"""`ef.einsum`: arrays in, array out, like `numpy.einsum`, on an OpenCL device."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike

from einsum_front.compiled import CompiledKernel
from einsum_front.driver.string_steps import StringStep, string_steps
from einsum_front.einsum_operands import (
    ELEMENT_TYPES,
    Array,
    check_keywords,
    check_out,
    check_strings,
    read_operands,
)
from einsum_front.einsum_string import KERNEL, EinsumProgram, read_einsum, result_shape
from einsum_front.interface import compile_program
from einsum_front.options import FormOptions, Options
from runtime.device import find

MANY_OPERATIONS = 2**24
"""As many keep one work-group busy for a millisecond or more, longer than it takes to start several kernels."""

MOST_CALLS = 1024
"""Strings with shapes, types and choices that are not read again: what is kept for one has no arrays, and is small."""

Shapes = tuple[tuple[int, ...], ...]

Way = CompiledKernel | tuple[StringStep, ...]
"""A kernel for the whole string, or its steps, each with a kernel of its own."""


def einsum(
    subscripts: str,
    *operands: ArrayLike,
    out: Array | None = None,
    optimize: bool | str = True,
    device: str = "auto",
    form: str | None = None,
    tune: bool = False,
    **others: object,
) -> Array:
    """The contraction of the operands that the subscripts describe, as `numpy.einsum` would give it.

    Operands are arrays of real numbers; the result has NumPy's element type, which must be f32 or f64, and is written
    to `out` if there is one. `optimize` may be a truth value or a name and changes nothing: the order is always good.

    An index that leads the result and every operand that has it becomes the batch; the kernel is compiled once for each
    string, type and shapes without the batch. A long contraction without a batch gets a kernel for each step.
    `device`, `form` and `tune` are those of `compile`.
    Raises `CompileError` with a place in the string if it does not fit the operands.
    """
    check_strings(subscripts)
    check_keywords(optimize, others)
    arrays = read_operands(operands)
    element_type = arrays[0].dtype if arrays else np.dtype(np.float64)
    shape = _shape(subscripts, tuple(array.shape for array in arrays))
    if out is not None:
        check_out(out, shape, element_type)
    is_free = out is not None and not any(np.may_share_memory(out, array) for array in arrays)
    result = out if out is not None and is_free else np.empty(shape, element_type)
    _contract(subscripts, arrays, result, _Choice(device, FormOptions(form, tune)))
    if out is None:
        return result[()]  # a number if there are no indices, as NumPy has it
    if not is_free:
        out[...] = result
    return out


@dataclass(frozen=True, slots=True)
class _Choice:
    """The device and the forms that the caller wants."""

    device: str
    forms: FormOptions


def _contract(subscripts: str, arrays: Sequence[Array], result: Array, choice: _Choice) -> None:
    """Writes the contraction of arrays of one type to the result."""
    shapes = tuple(array.shape for array in arrays)
    if any(0 in shape for shape in shapes):
        result[...] = 0  # no entry, or sums of nothing
        return
    meaning, way = _meaning_and_way(subscripts, shapes, ELEMENT_TYPES[result.dtype], choice)
    match way:
        case CompiledKernel() as kernel:
            arguments = {
                argument.name: _with_batch(array, meaning, argument.is_batched)
                for argument, array in zip(meaning.operands, arrays, strict=True)
            }
            kernel(**arguments, **{meaning.output: _with_batch(result, meaning, is_batched=True)})
        case steps:
            named = {argument.name: array for argument, array in zip(meaning.operands, arrays, strict=True)}
            _run_steps(steps, named | {meaning.output: result}, choice)


def _run_steps(steps: tuple[StringStep, ...], arrays: dict[str, Array], choice: _Choice) -> None:
    """One kernel after the other; `arrays` has the operands and the result, and temporaries while they live."""
    for step in steps:
        operands = [arrays[part.name][part.key] for part in step.operands]
        if step.target not in arrays:
            shape = _shape(step.subscripts, tuple(operand.shape for operand in operands))
            arrays[step.target] = np.empty(shape, operands[0].dtype)
        _contract(step.subscripts, operands, arrays[step.target], choice)
        for name in step.dead:
            del arrays[name]


def _with_batch(array: Array, meaning: EinsumProgram, is_batched: bool) -> Array:
    """The array with the first axis that a batched argument has; of length 1 if no index of the string is the batch."""
    return array[None] if is_batched and not meaning.has_batch_index else array


@lru_cache(maxsize=MOST_CALLS)
def _shape(subscripts: str, shapes: Shapes) -> tuple[int, ...]:
    return result_shape(subscripts, list(shapes))


@lru_cache(maxsize=MOST_CALLS)
def _meaning_and_way(subscripts: str, shapes: Shapes, real: str, choice: _Choice) -> tuple[EinsumProgram, Way]:
    meaning = read_einsum(subscripts, list(shapes), real)
    return meaning, _way(replace(meaning, output_shape=()), choice)


@lru_cache(maxsize=256)
def _way(meaning: EinsumProgram, choice: _Choice) -> Way:
    """One kernel for the whole string, or its steps, where a single work-group would keep the device waiting.

    The program has no batch, and the meaning no shape of the output here, so that a kernel serves every batch.
    """
    if not meaning.has_batch_index and (steps := string_steps(meaning, MANY_OPERATIONS)):
        return steps
    device = find(choice.device)
    return compile_program(meaning.program, device, Options(device=choice.device), choice.forms)[KERNEL]
