"""`ef.einsum`: arrays in, array out, like `numpy.einsum`, on an OpenCL device."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod
from typing import cast, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from einsum_front.compiled import CompiledKernel
from einsum_front.driver import Planned, plan_program
from einsum_front.index_string.device_operands import check_device_out, device_memory, read_device_operands
from einsum_front.index_string.keywords import Casting, Keywords, order_of, read_keywords, reject_for_device
from einsum_front.index_string.operands import (
    ELEMENT_TYPES,
    Array,
    check_out,
    check_strings,
    common_type,
    out_mistakes,
    raise_mistakes,
    read_arrays,
    without_repeats,
)
from einsum_front.index_string.program import EinsumProgram, read_einsum, read_extents
from einsum_front.index_string.steps import Positions, StringStep, path_of, steps_of_path, string_steps
from einsum_front.interface import compile_planned
from einsum_front.options import FormOptions, Options
from einsum_front.runtime.device import find
from einsum_front.runtime.memory import AnyArray, HostMemory, Memory, is_on_device
from einsum_front.runtime.transfers import PyopenclArray

MANY_OPERATIONS = 2**24
"""As many keep one work-group busy for a millisecond or more, longer than it takes to start several kernels."""

MOST_CALLS = 1024
"""Strings with shapes, types and choices that are not read again: what is kept for one has no arrays, and is small."""

HOST = HostMemory()

Shapes = tuple[tuple[int, ...], ...]

Optimize = bool | str | Sequence[object] | None

Way = CompiledKernel | tuple[StringStep, ...]
"""A kernel for the whole string, or its steps, each with a kernel of its own."""


@overload
def einsum(
    subscripts: str,
    *operands: PyopenclArray,
    out: PyopenclArray | None = ...,
    optimize: Optimize = ...,
    dtype: DTypeLike | None = ...,
    order: str | None = ...,
    casting: Casting = ...,
    device: str = ...,
    form: str | None = ...,
    tune: bool = ...,
) -> PyopenclArray: ...


@overload
def einsum(
    subscripts: str,
    *operands: ArrayLike,
    out: Array | None = ...,
    optimize: Optimize = ...,
    dtype: DTypeLike | None = ...,
    order: str | None = ...,
    casting: Casting = ...,
    device: str = ...,
    form: str | None = ...,
    tune: bool = ...,
) -> Array: ...


def einsum(  # noqa: PLR0913 - the keywords of NumPy, and those of `compile`
    subscripts: str,
    *operands: ArrayLike | PyopenclArray,
    out: Array | PyopenclArray | None = None,
    optimize: Optimize = True,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    casting: Casting = "safe",
    device: str = "auto",
    form: str | None = None,
    tune: bool = False,
) -> Array | PyopenclArray:
    """The contraction of the operands that the subscripts describe, as `numpy.einsum` would give it.

    Operands are arrays of real numbers; the result has NumPy's element type, which must be f32 or f64, and is written
    to `out` if there is one. It is always a copy. `dtype` is another type to compute in, `casting` says which
    conversions are fine, `order` how the result lies in memory. `optimize` may be a truth value or a name, which change
    nothing, or a path as `einsum_path` gives it, which is followed.

    If all operands are arrays of pyopencl, in one context and of one type, the result is one as well: on their device
    and in a queue of theirs. Those that are not in C order are copied there.

    An index that leads the result and every operand that has it becomes the batch; the kernel is compiled once for each
    string, type and shapes without the batch. A long contraction without a batch gets a kernel for each step.
    `device`, `form` and `tune` are those of `compile`.
    Raises `CompileError` with a place in the string if it does not fit the operands.
    """
    check_strings(subscripts)
    keywords = read_keywords(len(operands), optimize, dtype, order, casting)
    forms = FormOptions(form, tune)
    if not any(map(is_on_device, operands)):
        arrays = read_arrays(cast("Sequence[ArrayLike]", operands))
        return _einsum_on_host(subscripts, arrays, check_out(out), keywords, _Choice(device, forms, keywords.path))
    there = read_device_operands(operands)
    reject_for_device(keywords, there[0].dtype)
    memory = device_memory(there, device)
    shape = _read(subscripts, _shapes(there)).shape
    target = None if out is None else check_device_out(out, shape, there[0])
    choice = _Choice(str(memory.device.facts.number), forms, keywords.path)
    if target is not None and memory.can_hold(target, there):
        _contract(subscripts, there, target, memory, choice)
        return target
    result = memory.empty(shape, there[0].dtype)
    _contract(subscripts, there, result, memory, choice)
    if target is None:
        return result
    memory.copy(target, result)
    return target


@dataclass(frozen=True, slots=True)
class _Choice:
    """The device, the forms and the order of the products (None: the planner's) that the caller wants."""

    device: str
    forms: FormOptions
    path: Positions | None


def _einsum_on_host(
    subscripts: str, given: Sequence[Array], out: Array | None, keywords: Keywords, choice: _Choice
) -> Array:
    """The contraction of arrays of NumPy.

    What repeats along an index is not read again and again: it has length 1 there. If no other operand has the index in
    its whole length, a sum over it is a multiplication, and a result that has it is repeated at the end.
    """
    read = _read(subscripts, _shapes(given))
    kind = common_type(given, out, keywords.dtype, keywords.casting)
    if out is not None:
        is_read_only = not out.flags.writeable
        raise_mistakes(out_mistakes(out, read.shape, kind, is_read_only=is_read_only, casting=keywords.casting))
    short = [without_repeats(array, names) for array, names in zip(given, read.operands, strict=True)]
    arrays = [array.astype(kind, copy=False) for array in short]
    times, shape = _repetitions(read, _read(subscripts, _shapes(arrays)))
    is_direct = out is not None and shape == read.shape and times == 1 and out.dtype == kind
    if out is not None and is_direct and HOST.can_hold(out, arrays):
        _contract(subscripts, arrays, out, HOST, choice)
        return out
    result = HOST.empty(shape, kind)
    _contract(subscripts, arrays, result, HOST, choice)
    if times != 1:
        result *= kind.type(times)
    if out is not None:
        out[...] = result
        return out
    order = order_of(keywords, given)
    if shape != read.shape or order == "F":
        result = np.array(np.broadcast_to(result, read.shape), order=order)
    return result[()]  # a number if there are no indices, as NumPy has it


@dataclass(frozen=True, slots=True)
class _Read:
    """The names of the indices of operands and result, and their extents."""

    operands: tuple[tuple[str, ...], ...]
    output: tuple[str, ...]
    extents: dict[str, int]

    @property
    def shape(self) -> tuple[int, ...]:
        """That of the result."""
        return tuple(self.extents[name] for name in self.output)


def _repetitions(whole: _Read, short: _Read) -> tuple[int, tuple[int, ...]]:
    """How often each entry is added where it is the same along indices, and the shape of the result without those."""
    if whole is short:
        return 1, whole.shape
    summed = (name for name in whole.extents if name not in whole.output and short.extents[name] != whole.extents[name])
    return prod(whole.extents[name] for name in summed), short.shape


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
            _run_steps(steps, named | {meaning.output: result}, memory, replace(choice, path=None))


def _run_steps(
    steps: tuple[StringStep, ...], arrays: dict[str, AnyArray], memory: Memory[AnyArray], choice: _Choice
) -> None:
    """One kernel after the other; `arrays` has the operands and the result, and temporaries while they live."""
    for step in steps:
        operands = [arrays[part.name][part.key] for part in step.operands]
        if step.target not in arrays:
            shape = _read(step.subscripts, _shapes(operands)).shape
            arrays[step.target] = memory.empty(shape, operands[0].dtype)
        _contract(step.subscripts, operands, arrays[step.target], memory, choice)
        for name in step.dead:
            del arrays[name]


def _shapes(arrays: Sequence[AnyArray]) -> Shapes:
    return tuple(array.shape for array in arrays)


@lru_cache(maxsize=MOST_CALLS)
def _read(subscripts: str, shapes: Shapes) -> _Read:
    found, extents = read_extents(subscripts, list(shapes))
    return _Read(tuple(term.names for term in found.operands), found.output.names, extents)


@lru_cache(maxsize=MOST_CALLS)
def _meaning_and_way(subscripts: str, shapes: Shapes, real: str, choice: _Choice) -> tuple[EinsumProgram, Way]:
    meaning = read_einsum(subscripts, list(shapes), real)
    lasting, names = replace(meaning, output_shape=()), [argument.name for argument in meaning.operands]
    if choice.path is not None and choice.path != path_of(names, _planned(lasting).plan):
        read = _read(subscripts, shapes)
        return meaning, steps_of_path(read.operands, read.output, names, meaning.output, choice.path)
    return meaning, _way(lasting, replace(choice, path=None))


@lru_cache(maxsize=256)
def _way(meaning: EinsumProgram, choice: _Choice) -> Way:
    """One kernel for the whole string, or its steps, where a single work-group would keep the device waiting.

    The program has no batch, and the meaning no shape of the output here, so that a kernel serves every batch.
    """
    planned = _planned(meaning)
    if not meaning.has_batch_index and (steps := string_steps(planned.plan, MANY_OPERATIONS)):
        return steps
    return compile_planned(planned, find(choice.device), Options(device=choice.device), choice.forms)


@lru_cache(maxsize=256)
def _planned(meaning: EinsumProgram) -> Planned:
    (planned,) = plan_program(meaning.program, Options())
    return planned
