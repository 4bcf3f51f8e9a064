"""`ef.einsum`: arrays in, array out, like `numpy.einsum`, on an OpenCL device."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import cast, overload

from numpy.typing import ArrayLike

from einsum_front.compiled import CompiledKernel
from einsum_front.driver.string_steps import StringStep, string_steps
from einsum_front.einsum_device_operands import check_device_out, device_memory, read_device_operands
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
from runtime.memory import AnyArray, HostMemory, Memory, is_on_device
from runtime.transfers import PyopenclArray

MANY_OPERATIONS = 2**24
"""As many keep one work-group busy for a millisecond or more, longer than it takes to start several kernels."""

MOST_CALLS = 1024
"""Strings with shapes, types and choices that are not read again: what is kept for one has no arrays, and is small."""

HOST = HostMemory()

Shapes = tuple[tuple[int, ...], ...]

Way = CompiledKernel | tuple[StringStep, ...]
"""A kernel for the whole string, or its steps, each with a kernel of its own."""


@overload
def einsum(
    subscripts: str,
    *operands: PyopenclArray,
    out: PyopenclArray | None = ...,
    optimize: bool | str = ...,
    device: str = ...,
    form: str | None = ...,
    tune: bool = ...,
    **others: object,
) -> PyopenclArray: ...


@overload
def einsum(
    subscripts: str,
    *operands: ArrayLike,
    out: Array | None = ...,
    optimize: bool | str = ...,
    device: str = ...,
    form: str | None = ...,
    tune: bool = ...,
    **others: object,
) -> Array: ...


def einsum(
    subscripts: str,
    *operands: ArrayLike | PyopenclArray,
    out: Array | PyopenclArray | None = None,
    optimize: bool | str = True,
    device: str = "auto",
    form: str | None = None,
    tune: bool = False,
    **others: object,
) -> Array | PyopenclArray:
    """The contraction of the operands that the subscripts describe, as `numpy.einsum` would give it.

    Operands are arrays of real numbers; the result has NumPy's element type, which must be f32 or f64, and is written
    to `out` if there is one. `optimize` may be a truth value or a name and changes nothing: the order is always good.

    If all operands are arrays of pyopencl, in one context and of one type, the result is one as well: on their device
    and in a queue of theirs. Those that are not in C order are copied there.

    An index that leads the result and every operand that has it becomes the batch; the kernel is compiled once for each
    string, type and shapes without the batch. A long contraction without a batch gets a kernel for each step.
    `device`, `form` and `tune` are those of `compile`.
    Raises `CompileError` with a place in the string if it does not fit the operands.
    """
    check_strings(subscripts)
    check_keywords(optimize, others)
    forms = FormOptions(form, tune)
    if any(map(is_on_device, operands)):
        there = read_device_operands(operands)
        memory = device_memory(there, device)
        shape = _shape(subscripts, _shapes(there))
        target = None if out is None else check_device_out(out, shape, there[0])
        return _compute(subscripts, there, target, memory, _Choice(str(memory.device.facts.number), forms))
    arrays = read_operands(cast("Sequence[ArrayLike]", operands))
    shape = _shape(subscripts, _shapes(arrays))
    if out is not None:
        return _compute(subscripts, arrays, check_out(out, shape, arrays[0].dtype), HOST, _Choice(device, forms))
    result = _compute(subscripts, arrays, None, HOST, _Choice(device, forms))
    return result[()]  # a number if there are no indices, as NumPy has it


@dataclass(frozen=True, slots=True)
class _Choice:
    """The device and the forms that the caller wants."""

    device: str
    forms: FormOptions


def _compute(
    subscripts: str, arrays: Sequence[AnyArray], out: AnyArray | None, memory: Memory[AnyArray], choice: _Choice
) -> AnyArray:
    """The contraction of arrays of one type, in `out` if there is one."""
    if out is not None and memory.can_hold(out, arrays):
        _contract(subscripts, arrays, out, memory, choice)
        return out
    result = memory.empty(_shape(subscripts, _shapes(arrays)), arrays[0].dtype)
    _contract(subscripts, arrays, result, memory, choice)
    if out is None:
        return result
    memory.copy(out, result)
    return out


def _contract(
    subscripts: str, arrays: Sequence[AnyArray], result: AnyArray, memory: Memory[AnyArray], choice: _Choice
) -> None:
    """Writes the contraction of arrays of one type to the result."""
    shapes = _shapes(arrays)
    if any(0 in shape for shape in shapes):
        memory.clear(result)  # no entry, or sums of nothing
        return
    known = _meaning_and_way(subscripts, shapes, ELEMENT_TYPES[result.dtype], choice)
    meaning: EinsumProgram = known[0]
    match known[1]:
        case CompiledKernel() as kernel:
            tensors = [memory.ready(array) for array in arrays] + [result]
            if not meaning.has_batch_index:
                tensors = [memory.batch_of_one(array) for array in tensors]
            names = [*(argument.name for argument in meaning.operands), meaning.output]
            kernel(**dict(zip(names, tensors, strict=True)))
        case steps:
            named = {argument.name: array for argument, array in zip(meaning.operands, arrays, strict=True)}
            _run_steps(steps, named | {meaning.output: result}, memory, choice)


def _run_steps(
    steps: tuple[StringStep, ...], arrays: dict[str, AnyArray], memory: Memory[AnyArray], choice: _Choice
) -> None:
    """One kernel after the other; `arrays` has the operands and the result, and temporaries while they live."""
    for step in steps:
        operands = [arrays[part.name][part.key] for part in step.operands]
        if step.target not in arrays:
            shape = _shape(step.subscripts, _shapes(operands))
            arrays[step.target] = memory.empty(shape, operands[0].dtype)
        _contract(step.subscripts, operands, arrays[step.target], memory, choice)
        for name in step.dead:
            del arrays[name]


def _shapes(arrays: Sequence[AnyArray]) -> Shapes:
    return tuple(array.shape for array in arrays)


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
