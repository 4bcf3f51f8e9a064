"""`ef.einsum`: arrays in, array out, like `numpy.einsum`, on an OpenCL device."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from os import PathLike
from typing import TYPE_CHECKING, Any, cast, overload

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from einsum_front.chunked import is_data_set
from einsum_front.core.diagnostics import CompileError
from einsum_front.dask_arrays import is_dask
from einsum_front.index_string.device_operands import check_device_out, device_memory, read_device_operands
from einsum_front.index_string.keywords import (
    Casting,
    Keywords,
    order_of,
    read_keywords,
    reject_for_cuda,
    reject_for_dask,
    reject_for_device,
)
from einsum_front.index_string.operands import (
    ELEMENT_TYPES,
    Array,
    check_out,
    check_strings,
    common_type,
    host_out_mistakes,
    out_mistakes,
    raise_mistakes,
    read_arrays,
    reject_mixed_types,
    reject_states,
    without_repeats,
)
from einsum_front.index_string.parts import Parts, parts_of
from einsum_front.index_string.program import IndexString, StringKernel, read_einsum, repetitions
from einsum_front.index_string.repeated import Looks, Repeated, looks, remember, repeat
from einsum_front.index_string.steps import StringStep
from einsum_front.index_string.views import view_of
from einsum_front.index_string.ways import CUDA, Choice, Way, find_way, gives_up_c, short_choice
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import (
    AnyArray,
    HostMemory,
    Kernel,
    Memory,
    PyopenclArray,
    cuda_views,
    host_view,
    is_foreign,
    is_on_cuda,
    is_on_device,
    like,
)

MOST_STRINGS = 1024
"""Strings with shapes of operands that are not read again: what is kept for one has no arrays, and is small."""

HOST = HostMemory()

IN_ONE = (None, None, None, None, False)
"""What a call asks for that has no chunks."""

SCHEDULES = ScheduleOptions()
"""Those of most calls, which take as long as a launch: nothing is made anew that need not be."""

if TYPE_CHECKING:
    from einsum_front.chunked import Progress

Shapes = tuple[tuple[int, ...], ...]

Optimize = bool | str | Sequence[object] | None


@overload
def einsum(
    subscripts: str,
    *operands: PyopenclArray,
    out: PyopenclArray | None = ...,
    optimize: Optimize = ...,
    dtype: DTypeLike | None = ...,
    order: str | None = ...,
    casting: Casting = ...,
    device: str | int = ...,
    schedule: str | None = ...,
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
    device: str | int = ...,
    schedule: str | None = ...,
    tune: bool = ...,
    memory: int | str | None = ...,
    chunk: int | tuple[int, ...] | None = ...,
    devices: Sequence[str | int] | None = ...,
    journal: str | PathLike[str] | None = ...,
    progress: "Progress" = ...,
) -> Array: ...


@overload
def einsum(
    subscripts: str,
    *operands: object,
    out: object = ...,
    optimize: Optimize = ...,
    dtype: DTypeLike | None = ...,
    order: str | None = ...,
    casting: Casting = ...,
    device: str | int = ...,
    schedule: str | None = ...,
    tune: bool = ...,
    memory: int | str | None = ...,
    chunk: int | tuple[int, ...] | None = ...,
    devices: Sequence[str | int] | None = ...,
    journal: str | PathLike[str] | None = ...,
    progress: "Progress" = ...,
) -> Any: ...


def einsum(  # noqa: PLR0913 - the keywords of NumPy, and those of `compile`
    subscripts: str,
    *operands: object,
    out: object = None,
    optimize: Optimize = True,
    dtype: DTypeLike | None = None,
    order: str | None = "K",
    casting: Casting = "safe",
    device: str | int = "auto",
    schedule: str | None = None,
    tune: bool = False,
    memory: int | str | None = None,
    chunk: int | tuple[int, ...] | None = None,
    devices: Sequence[str | int] | None = None,
    journal: str | PathLike[str] | None = None,
    progress: "Progress" = False,
) -> Any:
    """The contraction of the operands that the subscripts describe, as `numpy.einsum` would give it.

    Operands are arrays of real numbers; the result has NumPy's element type, which must be f32 or f64, and is written
    to `out` if there is one. It is a view where NumPy's is. `dtype` is another type to compute in, `casting` says which
    conversions are fine, `order` how the result lies in memory. `optimize` may be a truth value or a name, which change
    nothing, or a path as `einsum_path` gives it, which is followed.

    If all operands are arrays of pyopencl, in one context and of one type, the result is one as well: on their device
    and in a queue of theirs. Those that are not in C order are copied there.

    An index that leads the result and every operand that has it becomes the batch; the kernel is compiled once for each
    string, type and shapes without the batch. A long contraction without a batch gets a kernel for each step.
    `device`, `schedule` and `tune` are those of `compile`; with `"auto"`, short calls on a processor go to device `c`.

    Arrays of other libraries (torch, JAX) in the memory of the host are used where they are, and the result is one of
    the first operand's library. So it is with arrays of CuPy and torch in the memory of CUDA, if CuPy is there to
    compile for it; the kernel is started in the stream of their library, and nothing waits. Batches may be data sets of
    zarr or h5py, and so may `out`: they are computed in chunks, as with `memory`, `chunk`, `devices`, `journal` and
    `progress`, which are those of `CompiledKernel.chunked`.
    Raises `CompileError` with a place in the string if it does not fit the operands.
    """
    asked = memory, chunk, devices, journal, progress or False
    is_plain = out is None and optimize is True and dtype is None and order == "K" and casting == "safe"
    is_plain = is_plain and schedule is None and not tune and asked == IN_ONE
    seen = looks(subscripts, operands, device) if is_plain else None
    if seen is not None and (repeated := repeat(seen, operands)) is not None:
        return repeated
    device = str(device)
    check_strings(subscripts)
    reject_states(operands)
    keywords = read_keywords(len(operands), optimize, dtype, order, casting)
    schedules = SCHEDULES if schedule is None and not tune else ScheduleOptions(schedule, tune)
    if any(map(is_dask, operands)):
        from einsum_front.index_string.on_dask import einsum_on_dask  # noqa: PLC0415 - it loads dask

        reject_for_dask(keywords, out, asked, tune=tune)
        return einsum_on_dask(einsum, subscripts, operands, dtype, device, schedule)
    if any(map(is_on_cuda, operands)):
        reject_for_cuda(device, asked, tune=tune)
        return _einsum_on_cuda(subscripts, operands, out, keywords, schedules)
    if asked != IN_ONE or any(map(is_data_set, (*operands, out))):
        from einsum_front.chunked import read_options  # noqa: PLC0415 - most calls have no chunks
        from einsum_front.index_string.in_chunks import einsum_in_chunks  # noqa: PLC0415

        shapes = tuple(np.shape(operand) for operand in cast("Sequence[ArrayLike]", operands))
        options = read_options(memory, chunk, devices, progress, journal)
        return einsum_in_chunks(
            _known(subscripts, shapes).string, operands, out, (keywords, device, schedules), options
        )
    if not any(map(is_on_device, operands)):
        arrays = read_arrays(cast("Sequence[ArrayLike]", operands))
        view = view_of(_known(subscripts, _shapes(arrays)).string, arrays, operands) if out is None else None
        if view is not None:
            return view
        choice = Choice(device, schedules, keywords.path)
        on_host = check_out(host_view(out))
        kind = common_type(arrays, on_host, keywords.dtype, keywords.casting, operands)
        found = _einsum_on_host(subscripts, arrays, on_host, replace(keywords, dtype=kind), choice)
        if seen is not None:
            _remember(seen, _known(subscripts, _shapes(arrays)), arrays, HOST, choice)
        home = next((operand for operand in operands if is_foreign(operand)), None)
        return out if out is not None else found if home is None else like(home, found)
    there = read_device_operands(operands)
    reject_for_device(keywords, there[0].dtype)
    space = device_memory(there, device)
    known = _known(subscripts, _shapes(there))
    target = None if out is None else check_device_out(out, known.shape, there[0])
    choice = Choice(space.device.facts.selector, schedules, keywords.path)
    if target is not None and space.can_hold(target, there):
        _contract(known, there, target, space, choice)
        return target
    result = space.empty(known.shape, there[0].dtype)
    _contract(known, there, result, space, choice)
    if target is None:
        if seen is not None:
            _remember(seen, known, there, space, choice)
        return result
    space.copy(target, result)
    return target


def _einsum_on_cuda(
    subscripts: str, operands: Sequence[object], out: object, keywords: Keywords, schedules: ScheduleOptions
) -> object:
    """The contraction of arrays in the memory of CUDA, started in the stream of their library."""
    given = operands if out is None else (*operands, out)
    arrays, space = cuda_views(given)
    first = arrays[0]
    reject_mixed_types(arrays[: len(operands)])
    reject_for_device(keywords, first.dtype)
    target = None if out is None else arrays.pop()
    known = _known(subscripts, _shapes(arrays))
    if target is not None:
        raise_mistakes(out_mistakes(target, known.shape, first.dtype, is_read_only=False))
    choice = Choice(f"{CUDA}{space.architecture}", schedules, keywords.path)
    with space.current(operands):
        is_used = target is not None and space.can_hold(target, arrays)
        result = target if target is not None and is_used else space.empty(known.shape, first.dtype)
        _contract(known, arrays, result, space, choice)
        if target is not None and not is_used:
            space.copy(target, result)
        return out if out is not None else space.like(operands[0], result)


def _einsum_on_host(
    subscripts: str, given: Sequence[Array], out: Array | None, keywords: Keywords, choice: Choice
) -> Array:
    """The contraction of arrays of NumPy, in the `dtype` of the keywords.

    What repeats along an index is not read again and again: it has length 1 there. If no other operand has the index in
    its whole length, a sum over it is a multiplication, and a result that has it is repeated at the end.
    """
    known = short = _known(subscripts, _shapes(given))
    whole, kind = known.shape, cast("np.dtype[np.generic]", keywords.dtype)
    if out is not None:
        raise_mistakes(host_out_mistakes(out, whole, kind, keywords.casting))
    arrays, times = given, 1
    if any(0 in array.strides for array in given):
        terms = known.string.kernel.subscripts.operands
        arrays = [without_repeats(array, term.names) for array, term in zip(given, terms, strict=True)]
        short = _known(subscripts, _shapes(arrays))
        times = repetitions(known.string, short.string)
    arrays = [array.astype(kind, copy=False) for array in arrays]
    shape = short.shape
    if out is not None and shape == whole and times == 1 and out.dtype == kind and HOST.can_hold(out, arrays):
        _on_processor(short, arrays, out, choice)
        return out
    result = HOST.empty(shape, kind)
    _on_processor(short, arrays, result, choice)
    if times != 1:
        result *= kind.type(times)
    if out is not None:
        out[...] = result
        return out
    order = order_of(keywords, given)
    if shape != whole or order == "F":
        result = np.array(np.broadcast_to(result, whole), order=order)
    return result[()]  # a number if there are no indices, as NumPy has it


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """A string that was read for operands of certain shapes, and what computes it, by element type and choice.

    `shape` is that of the result; `names` are those of the arguments of the kernel, the result last. A sum with `parts`
    is computed in these where operands are in C order.
    """

    string: IndexString
    shape: tuple[int, ...]
    names: tuple[str, ...]
    ways: dict[tuple[str, Choice], Way]
    parts: Parts | None


@lru_cache(maxsize=MOST_STRINGS)
def _known(subscripts: str, shapes: Shapes) -> _Known:
    string = read_einsum(subscripts, shapes)
    names = (*(operand.name for operand in string.kernel.operands), string.kernel.output.name)
    return _Known(string, string.shape, names, {}, parts_of(string))


def _remember(seen: Looks, known: _Known, arrays: Sequence[AnyArray], memory: Memory[AnyArray], choice: Choice) -> None:
    """Makes calls like this one short, if a single kernel ran on the operands as they lie."""
    kind = arrays[0].dtype
    way = known.ways.get((ELEMENT_TYPES.get(kind, ""), short_choice(known.string, choice)))
    if not isinstance(way, Kernel) or any(0 in array.strides or array.dtype != kind for array in arrays):
        return
    tensors = list(arrays)
    tensors.append(memory.empty(known.shape, kind))
    if any(memory.ready(tensor) is not tensor for tensor in tensors):
        return
    if not known.string.kernel.has_batch_index:
        tensors = [memory.batch_of_one(tensor) for tensor in tensors]
    launches = way.direct(**dict(zip(known.names, tensors, strict=True)))
    if launches is not None:
        remember(seen, Repeated(launches, memory.again(known.shape, kind)))


def _contract(
    known: _Known, arrays: Sequence[AnyArray], result: AnyArray, memory: Memory[AnyArray], choice: Choice
) -> None:
    """Writes the contraction of arrays of one type to the result."""
    if any(0 in array.shape for array in arrays):
        memory.clear(result)  # no entry, or sums of nothing
        return
    is_free = choice.schedules == SCHEDULES and choice.path is None
    in_order = is_free and all(memory.is_in_order(array) for array in arrays) and memory.is_in_order(result)
    if known.parts is not None and in_order:
        _sum_parts(known.parts, arrays, result, memory, choice)
        return
    kernel: StringKernel = known.string.kernel
    key = ELEMENT_TYPES[result.dtype], choice
    way = known.ways.get(key) or known.ways.setdefault(key, find_way(kernel, *key))
    if isinstance(way, tuple):
        named = dict(zip(known.names, arrays, strict=False))
        named[kernel.output.name] = result
        _run_steps(way, named, memory, replace(choice, path=None))
    else:
        tensors = [memory.ready(array) for array in arrays] + [result]
        if not kernel.has_batch_index:
            tensors = [memory.batch_of_one(tensor) for tensor in tensors]
        cast("Callable[..., None]", way)(**dict(zip(known.names, tensors, strict=True)))


def _on_processor(known: _Known, arrays: Sequence[Array], result: Array, choice: Choice) -> None:
    """`_contract` for arrays of NumPy: short calls in C, as long as its compiler builds."""
    short = short_choice(known.string, choice)
    try:
        _contract(known, arrays, result, HOST, short)
    except CompileError as error:
        if short is choice or not gives_up_c(error):
            raise
        _contract(known, arrays, result, HOST, choice)


def _run_steps(
    steps: tuple[StringStep, ...], arrays: dict[str, AnyArray], memory: Memory[AnyArray], choice: Choice
) -> None:
    """One kernel after the other; `arrays` has the operands and the result, and temporaries while they live."""
    for step in steps:
        operands = [arrays[part.name][part.key] for part in step.operands]
        known = _known(step.subscripts, _shapes(operands))
        if step.target not in arrays:
            arrays[step.target] = memory.empty(known.shape, operands[0].dtype)
        _contract(known, operands, arrays[step.target], memory, choice)
        for name in step.dead:
            del arrays[name]


def _sum_parts(
    parts: Parts, arrays: Sequence[AnyArray], result: AnyArray, memory: Memory[AnyArray], choice: Choice
) -> None:
    """The partial sums of all parts, of what is left, and their sum."""
    whole = parts.count * parts.length
    partial = memory.empty((parts.count + (parts.rest > 0), *parts.row), result.dtype)
    steps = ((0, parts.count, parts.length), (whole, 1, parts.rest))
    flat = [memory.reshaped(array, (-1, *parts.row)) for array in arrays]
    for place, (start, count, length) in enumerate(steps[: 1 + (parts.rest > 0)]):
        shape = count, length, *parts.row
        rows = [memory.reshaped(array[start : start + count * length], shape) for array in flat]
        target = partial[place * parts.count : place * parts.count + count]
        _contract(_known(parts.subscripts, _shapes(rows)), rows, target, memory, choice)
    entries = memory.reshaped(result, parts.row)
    _contract(_known(parts.total, (partial.shape,)), [partial], entries, memory, choice)


def _shapes(arrays: Sequence[AnyArray]) -> Shapes:
    return tuple(array.shape for array in arrays)
