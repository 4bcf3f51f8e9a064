"""Contractions by kernels: a string is read once for operands of certain shapes, and keeps what computes it."""

import os
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any, cast

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.numbers import COMPLEX
from einsum_front.index_string.element_types import Kind, kernel_type
from einsum_front.index_string.numpy_plan import Asked, Look, plan_on_numpy
from einsum_front.index_string.operands import Array
from einsum_front.index_string.program import IndexString, StringKernel, read_einsum
from einsum_front.index_string.steps import StringStep, check_step
from einsum_front.index_string.ways import MOST_WAYS, Choice, Way, find_way, gives_up_c, short_choice
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import (
    DEVICE_VARIABLE,
    AnyArray,
    Device,
    DeviceFacts,
    DeviceMemory,
    Direct,
    HostMemory,
    Kernel,
    Memory,
    RowSums,
    bus_speed,
    find_device,
    find_processor,
    is_device_c,
)

# -- long sums without a batch, in parts that work-groups compute side by side -----------------------------------------
#     ij,ij->        partial = xp,xp->x        x->         p counts 1/128 of all pairs of i and j
#
# Without a batch one work-group computes all of a sum. If all operands have the same indices in the same order, and
# those that the result has come last, all of them lie as matrices in memory: a row for each term, a column for each
# entry of the result. Groups of rows are a batch; what is left of them is a batch of one, and a number of parts that
# leaves nothing is preferred. It depends on the extents alone, and each sum in it has partial sums of its own:
# results are the same bits in each run, on each number of cores.

MANY_TERMS = 2**19
"""Terms of a sum that take a core longer than the launches of two more kernels."""

MOST_PARTS = 128
"""Their sum is one sum of so many terms."""

SHORTEST_PART = 16
"""Rows of a part: the partial sums are a sixteenth of what is read, at most."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The operands as matrices of `count * length + rest` rows and `columns` columns."""

    operands: int
    count: int
    length: int
    rest: int
    columns: int

    @property
    def subscripts(self) -> str:
        """The partial sums, for a batch of parts."""
        term = "xps" if self.columns > 1 else "xp"
        return f"{','.join([term] * self.operands)}->{term.replace('p', '')}"

    @property
    def total(self) -> str:
        """The sum of the partial sums."""
        return "xs->s" if self.columns > 1 else "x->"

    @property
    def row(self) -> tuple[int, ...]:
        """The shape of a row."""
        return (self.columns,) if self.columns > 1 else ()


MANY_IN_A_ROW = 1024
"""Terms of a row from which on a work-group of a GPU adds it up."""


def rows_of(string: IndexString) -> tuple[int, int] | None:
    """Rows and their length, if the string adds up rows of one operand, or of the product of two; else None."""
    kernel = string.kernel
    first, *others = (term.names for term in kernel.subscripts.operands)
    output = kernel.subscripts.output.names
    is_stretched = any(mode.is_stretched for operand in kernel.operands for mode in operand.modes)
    is_matrix = len(set(first)) == len(first) and len(others) < 2 and all(term == first for term in others)
    if is_stretched or not is_matrix or len(output) == len(first) or first[: len(output)] != output:
        return None
    rows, length = (prod(string.extents[name] for name in names) for names in (output, first[len(output) :]))
    return (rows, length) if rows and length >= MANY_IN_A_ROW else None


def parts_of(string: IndexString) -> Parts | None:
    """The parts of a sum that is worth it, and whose operands are matrices of its terms."""
    kernel = string.kernel
    first, *others = (term.names for term in kernel.subscripts.operands)
    output = kernel.subscripts.output.names
    is_matrix = all(term == first for term in others) and len(set(first)) == len(first)
    is_stretched = any(mode.is_stretched for operand in kernel.operands for mode in operand.modes)
    summed = len(first) - len(output)
    if kernel.has_batch_index or not is_matrix or is_stretched or not summed or first[summed:] != output:
        return None
    rows = prod(string.extents[name] for name in first[:summed])
    columns = prod(string.extents[name] for name in output)
    most = min(MOST_PARTS, rows // SHORTEST_PART)
    count = next((each for each in range(most, most // 2, -1) if rows % each == 0), most)
    if rows * columns < MANY_TERMS or count < 2:
        return None
    return Parts(1 + len(others), count, rows // count, rows % count, columns)


MOST_STRINGS = 16_384
"""Strings with shapes of operands that are not read again: what is kept for one has no arrays, and is small."""

HOST = HostMemory()

SCHEDULES = ScheduleOptions()
"""Those of most calls, which take as long as a launch: nothing is made anew that need not be."""

Shapes = tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Known:
    """A string that was read for operands of certain shapes, and what computes it, by element type and choice.

    `shape` is that of the result; `names` are those of the arguments of the kernel, the result last. A sum with `parts`
    is computed in these where operands are in C order; so is one along `rows` of a length, on a GPU.
    """

    string: IndexString
    shape: tuple[int, ...]
    names: tuple[str, ...]
    ways: dict[tuple[str, Choice], Way]
    parts: Parts | None
    rows: tuple[int, int] | None


@lru_cache(maxsize=MOST_STRINGS)
def known_string(subscripts: str, shapes: Shapes) -> Known:
    """What is known of a string for operands of these shapes, read once."""
    string = read_einsum(subscripts, shapes)
    names = (*(operand.name for operand in string.kernel.operands), string.kernel.output.name)
    return Known(string, string.shape, names, {}, parts_of(string), rows_of(string))


def direct_launches(
    known: Known, way: Kernel, arrays: Sequence[AnyArray], kind: Kind, memory: Memory[AnyArray]
) -> Direct | None:
    """Launches for operands in C order and a result of type `kind`; None if such a call has more to do."""
    tensors: list[Any] = [*arrays, memory.empty(known.shape, kind)]
    if not known.string.kernel.has_batch_index:
        tensors = [memory.batch_of_one(tensor) for tensor in tensors]
    return way.direct(**dict(zip(known.names, tensors, strict=True)))


def contract(
    known: Known, arrays: Sequence[AnyArray], result: AnyArray, memory: Memory[AnyArray], choice: Choice
) -> None:
    """Writes the contraction of arrays to the result; complex ones have a batch."""
    if any(0 in array.shape for array in arrays):
        memory.clear(result)  # no entry, or sums of nothing
        return
    sums = row_sums(known, arrays, memory, choice)
    if sums is not None and sums.start([*arrays, result]):
        sums.queue.finish()
        return
    is_free = choice.schedules == SCHEDULES and choice.path is None
    in_order = is_free and all(memory.is_in_order(array) for array in arrays) and memory.is_in_order(result)
    if known.parts is not None and in_order:
        _sum_parts(known.parts, arrays, result, memory, choice)
        return
    kernel: StringKernel = known.string.kernel
    key = cast("str", kernel_type([array.dtype for array in arrays], result.dtype)), choice
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


def row_sums(known: Known, arrays: Sequence[AnyArray], memory: Memory[AnyArray], choice: Choice) -> RowSums | None:
    """Sums over all work-groups of a GPU, for operands in C order; None where a kernel computes the string."""
    is_free = choice.schedules == SCHEDULES and choice.path is None
    if known.rows is None or not isinstance(memory, DeviceMemory) or not is_free or arrays[0].dtype in COMPLEX:
        return None
    if not all(memory.is_in_order(array) for array in arrays):
        return None
    return memory.row_sums(*known.rows, len(arrays), arrays[0].dtype)


def _run_steps(
    steps: tuple[StringStep, ...], arrays: dict[str, AnyArray], memory: Memory[AnyArray], choice: Choice
) -> None:
    """One kernel after the other; `arrays` has the operands and the result, and temporaries while they live."""
    for step in steps:
        operands = [arrays[part.name][part.key] for part in step.operands]
        known = known_string(step.subscripts, shapes_of(operands))
        if step.target not in arrays:
            if isinstance(memory, HostMemory):
                check_step(step, known.shape, operands[0].dtype)
            arrays[step.target] = memory.empty(known.shape, operands[0].dtype)
        contract(known, operands, arrays[step.target], memory, choice)
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
        contract(known_string(parts.subscripts, shapes_of(rows)), rows, target, memory, choice)
    entries = memory.reshaped(result, parts.row)
    contract(known_string(parts.total, (partial.shape,)), [partial], entries, memory, choice)


def shapes_of(arrays: Sequence[AnyArray]) -> Shapes:
    """The shape of each array."""
    return tuple(array.shape for array in arrays)


# -- the device of a call on arrays of the host that leaves it to us ---------------------------------------------------
# The processor, unless a GPU is faster with copies. Both are estimated, roughly: a GPU has to be well ahead. What it
# computes is beside its copies, whose speed is measured.

CLOCK = 2.5e9
"""Cycles a second of a processor that nobody has asked."""

PROCESSOR_SHARE, GPU_SHARE = 0.5, 0.25
"""Part of the multiply-adds that kernels reach."""

BYTES_OF_A_UNIT, MOST_BYTES = 6e9, 1e11
"""Bytes a second that a core of a processor moves, and all of them together."""

GPU_CLOCK, GPU_LANES = 1.5e9, 64
"""Cycles a second, and multiply-adds of f32 in each, of a compute unit of a GPU."""

HALF_RATE = ("sm_60", "sm_70", "sm_80", "sm_90", "sm_100")
"""GPUs that compute half as many in f64; others a sixteenth."""

LATENCY = 5e-4
"""Seconds that a call on arrays of the host takes on a GPU, whatever its size."""

AHEAD = 0.7
"""Part of the processor's time that a GPU may take at most, since both are estimates."""


@dataclass(frozen=True, slots=True)
class Work:
    """A contraction: multiply-adds, bytes of operands and of the result, and of an entry."""

    products: float
    sent: int
    fetched: int
    itemsize: int


def choice_on_host(known: Known, choice: Choice, kind: np.dtype[np.generic]) -> Choice:
    """The choice with a device, if it leaves that to us and there is a GPU."""
    is_ours = choice.device == "auto" and os.environ.get(DEVICE_VARIABLE, "auto") == "auto"
    short = short_choice(known.string, choice)
    if not is_ours or choice.schedules != ScheduleOptions() or short is not choice:
        return short
    return _beside_gpu(known, choice, kind)


@lru_cache(maxsize=MOST_WAYS)
def _beside_gpu(known: Known, choice: Choice, kind: np.dtype[np.generic]) -> Choice:
    gpu = find_device()
    if gpu.facts.shares_host_memory:
        return choice
    try:
        processor = find_processor()
    except CompileError:
        return choice
    is_faster = is_faster_on_gpu(work_of(known, kind), gpu, processor.facts)
    return choice if is_faster else replace(choice, device=processor.facts.selector)


def contract_on_host(known: Known, arrays: Sequence[Array], result: Array, choice: Choice) -> None:
    """`contract` for arrays of NumPy, where that is soonest: short calls in C, as long as its compiler builds."""
    chosen = choice_on_host(known, choice, result.dtype)
    try:
        contract(known, arrays, result, HOST, chosen)
    except CompileError as error:
        if chosen is choice or not gives_up_c(error):
            raise
        other = choice_on_host(known, choice, result.dtype)
        contract(known, arrays, result, HOST, choice if is_in_c(other) else other)


def is_in_c(choice: Choice) -> bool:
    """True if it names device `c`, whose kernels run on the thread of their caller."""
    return is_device_c(choice.device)


def work_of(known: Known, kind: np.dtype[np.generic]) -> Work:
    """What a string has to do, in the order that NumPy would take if there are several products."""
    string = known.string
    terms = tuple(term.names for term in string.kernel.subscripts.operands)
    shapes = [tuple(string.extents[name] for name in names) for names in terms]
    products: float = prod(string.extents.values())
    if len(terms) > 2:
        output = string.kernel.subscripts.output.names
        asked = Asked(terms, output, string.extents, kind, output, None, False)
        products = plan_on_numpy(asked, [_in_order(shape, kind) for shape in shapes]).multiplications
    sent, fetched = (sum(map(prod, each)) * kind.itemsize for each in (shapes, [known.shape]))
    return Work(products, sent, fetched, kind.itemsize)


def _in_order(shape: Sequence[int], kind: np.dtype[np.generic]) -> Look:
    strides = [kind.itemsize]
    for size in reversed(shape[1:]):
        strides.append(strides[-1] * max(1, size))
    return Look(tuple(shape), tuple(reversed(strides[: len(shape)])), kind, True)


def is_faster_on_gpu(work: Work, gpu: Device, processor: DeviceFacts) -> bool:
    """True if copies and kernel take less by the model; the bus is asked last, since that may measure it."""
    on_processor = processor_seconds(work, processor)
    rest = AHEAD * on_processor - LATENCY - gpu_seconds(work, gpu.facts)
    return rest > 0 and bus_speed(gpu).seconds(work.sent, work.fetched) < rest


def processor_seconds(work: Work, facts: DeviceFacts) -> float:
    """The longer of multiply-adds and memory."""
    lanes = facts.native_vector_bytes / work.itemsize
    computing = work.products / (facts.compute_units * CLOCK * lanes * 2 * PROCESSOR_SHARE)
    return max(computing, (work.sent + work.fetched) / min(MOST_BYTES, BYTES_OF_A_UNIT * facts.compute_units))


def told(subscripts: str, shapes: tuple[tuple[int, ...], ...]) -> str | None:
    """Where such a call runs on arrays of the host in f64, and why; None where there is no GPU to choose."""
    gpu, kind = find_device(), np.dtype(np.float64)
    if gpu.facts.shares_host_memory or os.environ.get(DEVICE_VARIABLE, "auto") != "auto":
        return None
    known = known_string(subscripts, shapes)
    chosen, work = choice_on_host(known, Choice("auto", ScheduleOptions(), None), kind), work_of(known, kind)
    device = gpu if chosen.device == "auto" else find_device(chosen.device)
    copies = bus_speed(gpu).seconds(work.sent, work.fetched)
    there = copies + gpu_seconds(work, gpu.facts) + LATENCY
    times = f"{there * 1e3:.3g} ms on the GPU, {copies * 1e3:.3g} of them copies"
    if device is not gpu:
        times = f"{processor_seconds(work, device.facts) * 1e3:.3g} ms there, {times}"
    return f"arrays of the host are computed by `{device.facts.name}` ({times}, by the model), arrays of a GPU there"


def gpu_seconds(work: Work, facts: DeviceFacts) -> float:
    """The kernel alone, which reads from memory that is faster than any bus."""
    part = 1 if work.itemsize <= np.float32().itemsize else 1 / 2 if facts.architecture in HALF_RATE else 1 / 16
    return work.products / (facts.compute_units * GPU_CLOCK * GPU_LANES * part * GPU_SHARE)
