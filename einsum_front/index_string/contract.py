"""Contractions by kernels: a string is read once for operands of certain shapes, and keeps what computes it."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from math import prod
from typing import Any, cast

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import COMPLEX
from einsum_front.index_string.element_types import Kind, kernel_type
from einsum_front.index_string.program import IndexString, StringKernel, read_einsum
from einsum_front.index_string.steps import StringStep, check_step
from einsum_front.index_string.ways import Choice, Way, find_way
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import AnyArray, DeviceMemory, Direct, HostMemory, Kernel, Memory, RowSums

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
