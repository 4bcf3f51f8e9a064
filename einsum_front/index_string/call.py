"""`ef.einsum`: arrays in, array out, like `numpy.einsum`, on an OpenCL device."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, cast

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from einsum_front.chunked import is_data_set
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.numbers import COMPLEX
from einsum_front.dask_arrays import is_dask
from einsum_front.index_string.builds import REMEMBERED, Looks, leaves_the_device_to_us, read_build
from einsum_front.index_string.contract import (
    HOST,
    SCHEDULES,
    Known,
    choice_on_host,
    contract,
    contract_on_host,
    direct_launches,
    known_string,
    row_sums,
    shapes_of,
)
from einsum_front.index_string.device_operands import check_device_out, device_memory, read_device_operands
from einsum_front.index_string.element_types import (
    ELEMENT_TYPES,
    Kind,
    computed_in,
    converted_to,
    kernel_type,
    stored_as,
)
from einsum_front.index_string.kernel_calls import KernelCall, copied, in_layout
from einsum_front.index_string.keywords import (
    DEFAULTS,
    IN_ONE,
    Build,
    Casting,
    Keywords,
    Optimize,
    read_keywords,
    reject_for_cuda,
    reject_for_dask,
    reject_for_device,
    reject_for_lazy,
    reject_for_never,
)
from einsum_front.index_string.numpy_calls import WHOLE, Wanted, look, numpy_call
from einsum_front.index_string.numpy_plan import strided
from einsum_front.index_string.numpy_sums import Unary
from einsum_front.index_string.on_lazy import einsum_on_lazy, is_lazy
from einsum_front.index_string.operands import (
    Array,
    check_complex_kernel,
    check_out,
    common_type,
    host_out_mistakes,
    out_mistakes,
    raise_mistakes,
    read_arrays,
    reject_states,
    unconverted_type,
    without_repeats,
    wrong_type,
)
from einsum_front.index_string.program import IndexString, read_terms, repetitions
from einsum_front.index_string.result_layout import result_layout
from einsum_front.index_string.ways import CUDA, Choice
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import (
    AnyArray,
    Kernel,
    Memory,
    check_room,
    cuda_views,
    host_view,
    is_foreign,
    is_on_cuda,
    is_on_device,
    like,
)

NO_KERNEL = "E0601", "E0611", "E0613", "E0615", "E0637"
"""No device, that of a parent process, no compiler, one that does not build, a processor unknown to the driver."""

LATER = "optimize", "dtype", "order", "casting", "device", "schedule", "tune", "build"
"""Keywords that calls of `ef.einsum` keep until their operands are computed."""


@dataclass(frozen=True, slots=True)
class Call:
    """A call as it was made, but for its operands: see `front.einsum`; `asked` is what chunks of a batch have.

    `seen` is the look of the call, None if it is not to be remembered.
    """

    subscripts: str
    out: object
    optimize: Optimize
    dtype: DTypeLike | None
    order: str | None
    casting: Casting
    device: str | int
    schedule: str | None
    tune: bool
    build: Build | None
    asked: tuple[Any, ...]
    seen: Looks | None


def einsum_in_full(call: Call, operands: Sequence[object], einsum: Callable[..., Any]) -> Any:
    """Everything is checked, what computes it is found or made, and remembered for calls like this one.

    `einsum` is `ef.einsum`, for workers that are given blocks.
    """
    subscripts, out, asked, seen, tune = call.subscripts, call.out, call.asked, call.seen, call.tune
    device = str(call.device)
    reject_states(operands)
    keywords = read_keywords(len(operands), call.optimize, call.dtype, call.order, call.casting)
    schedules = SCHEDULES if call.schedule is None and not tune else ScheduleOptions(call.schedule, tune)
    build = read_build(call.build)
    is_ours = leaves_the_device_to_us(device) and schedules == SCHEDULES and asked == IN_ONE
    if call.build == "never" and not (is_ours and not any(is_on_device(each) or is_on_cuda(each) for each in operands)):
        reject_for_never()
    if any(map(is_dask, operands)):
        from einsum_front.index_string.on_dask import einsum_on_dask  # noqa: PLC0415 - it loads dask

        reject_for_dask(keywords, out, asked, tune=tune)
        return einsum_on_dask(einsum, subscripts, operands, call.dtype, device, call.schedule)
    if any(map(is_lazy, operands)):
        reject_for_lazy(out, asked)
        later = {name: getattr(call, name) for name in LATER}
        return einsum_on_lazy(einsum, subscripts, operands, {n: each for n, each in later.items() if each is not None})
    if any(map(is_on_cuda, operands)):
        reject_for_cuda(device, asked, tune=tune)
        return _einsum_on_cuda(subscripts, operands, out, keywords, schedules)
    if asked != IN_ONE or any(map(is_data_set, (*operands, out))):
        from einsum_front.chunked import read_options  # noqa: PLC0415 - most calls have no chunks
        from einsum_front.index_string.in_chunks import einsum_in_chunks  # noqa: PLC0415

        memory, chunk, devices, journal, progress = asked
        shapes = tuple(np.shape(operand) for operand in cast("Sequence[ArrayLike]", operands))
        options = read_options(memory, chunk, devices, progress, journal)
        return einsum_in_chunks(
            known_string(subscripts, shapes).string, operands, out, (keywords, device, schedules), options
        )
    if not any(map(is_on_device, operands)):
        arrays = read_arrays(cast("Sequence[ArrayLike]", operands))
        view = view_of(known_string(subscripts, shapes_of(arrays)).string, arrays, operands) if out is None else None
        if view is not None:
            return view
        choice = Choice(device, schedules, keywords.path)
        target = check_out(host_view(out))
        kind = common_type(arrays, target, keywords.dtype, keywords.casting)
        keywords = replace(keywords, dtype=kind)
        found = _einsum_on_host(subscripts, arrays, target, keywords, choice, "now" if not is_ours else build, seen)
        home = next((operand for operand in operands if is_foreign(operand)), None)
        return out if out is not None else found if home is None else like(home, found)
    there, kind = read_device_operands(operands)
    reject_for_device(keywords, kind)
    space = device_memory(there, device)
    known = known_string(subscripts, shapes_of(there))
    check_complex_kernel(there, kind, has_batch=known.string.kernel.has_batch_index)
    target_there = None if out is None else check_device_out(out, known.shape, there[0], kind)
    choice = Choice(space.device.facts.selector, schedules, keywords.path)
    is_held = target_there is not None and space.can_hold(target_there, there)
    result = target_there if target_there is not None and is_held else space.empty(known.shape, kind)
    contract(known, there, result, space, choice)
    if target_there is not None and not is_held:
        space.copy(target_there, result)
        return target_there
    if seen is not None and keywords == DEFAULTS and schedules == SCHEDULES:
        _remember(seen, known, there, space, choice, _Result(kind, converts=False, holds=space.can_hold))
    return result


def _einsum_on_cuda(
    subscripts: str, operands: Sequence[object], out: object, keywords: Keywords, schedules: ScheduleOptions
) -> object:
    """The contraction of arrays in the memory of CUDA, started in the stream of their library."""
    given = operands if out is None else (*operands, out)
    arrays, space = cuda_views(given)
    kind = unconverted_type(arrays[: len(operands)])
    reject_for_device(keywords, kind)
    target = None if out is None else arrays.pop()
    known = known_string(subscripts, shapes_of(arrays))
    check_complex_kernel(arrays, kind, has_batch=known.string.kernel.has_batch_index)
    if target is not None:
        raise_mistakes(out_mistakes(target, known.shape, kind, is_read_only=False))
    choice = Choice(f"{CUDA}{space.architecture}", schedules, keywords.path)
    with space.current(operands):
        is_used = target is not None and space.can_hold(target, arrays)
        result = target if target is not None and is_used else space.empty(known.shape, kind)
        contract(known, arrays, result, space, choice)
        if target is not None and not is_used:
            space.copy(target, result)
        return out if out is not None else space.like(operands[0], result)


def _einsum_on_host(
    subscripts: str,
    given: Sequence[Array],
    out: Array | None,
    keywords: Keywords,
    choice: Choice,
    build: Build,
    seen: Looks | None,
) -> Array:
    """The contraction of arrays of NumPy, by NumPy or by a kernel, in the `dtype` of the keywords."""
    kind = cast("Kind", keywords.dtype)
    has_kernels = computed_in(kind) in ELEMENT_TYPES
    if not has_kernels:
        if choice.schedules != SCHEDULES:
            raise CompileError([wrong_type(given, kind)])
        build = build if kind in COMPLEX else "never"
    shapes = shapes_of(given)
    order = keywords.order
    if out is not None:
        _, output, extents = read_terms(subscripts, shapes)
        whole = tuple(extents[name] for name in output)
        raise_mistakes(host_out_mistakes(out, whole, kind, keywords.casting))
    if build != "now" or not has_kernels:
        wanted = Wanted(kind, order, keywords.path, None if out is None else look(out))
        by_numpy = numpy_call(subscripts, given, wanted, build)
        if by_numpy is None:
            try:
                return _by_kernel(subscripts, given, out, keywords, choice, seen)
            except CompileError as error:
                if not all(each.code in NO_KERNEL for each in error.diagnostics):
                    raise
                by_numpy = numpy_call(subscripts, given, wanted, "never")  # nobody has asked for a kernel
        if by_numpy is not None:
            if build == "now":
                by_numpy.build_now(choice.device)
            if seen is not None:
                REMEMBERED.keep(seen, by_numpy)
            return cast("Array", by_numpy.run(given, out))
    return _by_kernel(subscripts, given, out, keywords, choice, seen)


def _by_kernel(
    subscripts: str,
    given: Sequence[Array],
    out: Array | None,
    keywords: Keywords,
    choice: Choice,
    seen: Looks | None,
) -> Array:
    """The contraction by a kernel.

    It does not read again and again what repeats along an index: that has length 1 there. If no other operand has the
    index in its whole length, a sum over it is a multiplication, and a result that has it is repeated at the end.
    """
    wanted = cast("Kind", keywords.dtype)
    kind, order = computed_in(wanted), keywords.order
    known = short = known_string(subscripts, shapes_of(given))
    whole = known.shape
    if out is None:
        check_room(whole, kind, f"the result, of shape {whole}", (WHOLE,))
    arrays, times = given, 1
    if any(0 in array.strides for array in given):
        terms = known.string.kernel.subscripts.operands
        arrays = [without_repeats(array, term.names) for array, term in zip(given, terms, strict=True)]
        short = known_string(subscripts, shapes_of(arrays))
        times = repetitions(known.string, short.string)
    arrays = [array.astype(kind, copy=False) for array in arrays]
    shape = short.shape
    if out is not None and shape == whole and times == 1 and out.dtype == kind and HOST.can_hold(out, arrays):
        contract_on_host(short, arrays, out, choice)
        result = out
    else:
        result = HOST.empty(shape, kind)
        contract_on_host(short, arrays, result, choice)
    turn = None if out is not None else _turn(order, subscripts, given)
    if seen is not None:
        _remember(seen, known, given, HOST, choice, _Result(kind, turn, None if kind == wanted else wanted))
    if result is out:
        return out
    if times != 1:
        result *= kind.type(times)
    if out is not None:
        out[...] = result
        return out
    result = stored_as(result, wanted)
    if shape != whole:
        result = np.array(np.broadcast_to(result, whole))
    if turn is not None:
        result = in_layout(result, turn)
    return result[()]  # a number if there are no indices, as NumPy has it


def _turn(order: str, subscripts: str, arrays: Sequence[Array]) -> tuple[int, ...] | None:
    """The modes of the result from the slowest to the fastest in memory; None for C order."""
    terms, output, _ = read_terms(subscripts, shapes_of(arrays))
    layout = result_layout(order, terms, [look(array) for array in arrays], output)
    return None if layout == output else tuple(output.index(name) for name in layout)


@dataclass(frozen=True, slots=True)
class _Result:
    """The type to compute in, the modes of the result in the order of memory, if that is not C order, its type, if it
    is another one, whether operands are converted, and which arrays of a device a kernel can write to."""

    kind: Kind
    turn: tuple[int, ...] | None = None
    stored: Kind | None = None
    converts: bool = True
    holds: Callable[[Any, Sequence[Any]], bool] | None = None


def _remember(
    seen: Looks,
    known: Known,
    arrays: Sequence[AnyArray],
    memory: Memory[AnyArray],
    choice: Choice,
    result: _Result,
) -> None:
    """Makes calls like this one short, if a single kernel ran on the operands as they lie, or on copies in C order."""
    kind = result.kind
    sums = row_sums(known, arrays, memory, choice) if result.stored is None else None
    if sums is not None:
        REMEMBERED.keep(seen, KernelCall(sums.start, memory.again(known.shape, kind), kind, holds=result.holds))
        return
    types = [converted_to(array.dtype, kind) for array in arrays]
    way = known.ways.get((kernel_type(types, kind) or "", choice_on_host(known, choice, kind)))
    if not isinstance(way, Kernel) or any(0 in array.strides for array in arrays):
        return
    conversions: list[Unary | None] = []
    tensors: list[AnyArray] = []
    for array, wanted in zip(arrays, types, strict=True):
        is_ready = array.dtype == wanted and memory.is_in_order(array) and memory.ready(array) is array
        if isinstance(array, np.ndarray):
            is_ready = is_ready and array.flags.aligned
        if not is_ready and not result.converts:
            return
        conversions.append(None if is_ready else copied(wanted))
        tensors.append(array if is_ready else memory.empty(array.shape, wanted))
    launches = direct_launches(known, way, tensors, kind, memory)
    if launches is not None:
        empty = memory.again(known.shape, kind)
        how = conversions, result.turn, result.stored
        REMEMBERED.keep(seen, KernelCall(launches.start, empty, kind, *how, holds=result.holds))


# -- results that are views --------------------------------------------------------------------------------------------
# Of a single operand of which nothing is summed, as NumPy gives them.


def view_of(string: IndexString, arrays: Sequence[Array], given: Sequence[object]) -> object | None:
    """The result as a view of the only operand, which may be written if that may be; None if anything is computed.

    Any element type will do, and NumPy asks neither for another one nor for an order. `given` has the array as the
    caller has it: the result is one of its library, which shares memory only if it may be written.
    """
    term, output = string.kernel.subscripts.operands[0], string.kernel.subscripts.output
    if len(arrays) > 1 or not set(term.names) <= set(output.names):
        return None
    view = cast("Array", strided(term.names, output.names)(arrays[0]))
    if not is_foreign(given[0]):
        return view
    return like(given[0], view) if view.flags.writeable else None
