"""Which blocks of a matrix product a work-item keeps in vector registers, by a model of the innermost loop.

In a cycle, a core starts some multiply-adds of vectors and as many loads, two of each on the cores of today; a sum can
be added to every fourth cycle only, so that eight of them are needed at a time (`core.machine.RegisterBlocks`). They
share the registers with a column of the left factor and an entry of the right one. Measured with PoCL 3.0 on Zen 4 for
squares of 2 to 128 rows: within 2% of the best block, up to 97% of the peak.

A single column multiplies vectors of the left factor on their way from memory, so that only sums need registers. With
all rows in one block a matrix is read from its first entry to its last, which the prefetcher of the core can foresee:
three matrices times a vector of 32 or 56 rows take 0.75 of the time in a cache, 0.8 and 0.65 from memory.

A few columns are all in one block where the machine says so (`narrow`): else some vectors of rows would be read again
for the columns that are left, whose sums are too few to be added to in every cycle.

Where the last rows fill half a vector at most, columns can share one: it takes one multiply-add for all of them. Their
numbers have to be put together for that, which some processors do beside their multiply-adds (`sharing`).
"""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise, takewhile

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import RegisterBlocks
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.lowering.outer_product import LastVector, sums_of

TYPICAL_DEPTH = 32
"""Iterations of the innermost loop where they are known only at run time."""


@dataclass(frozen=True, slots=True)
class Part:
    """The positions from `start` below `stop`, in pieces of `size`."""

    start: int
    stop: int
    size: int

    @property
    def pieces(self) -> int:
        """How many there are."""
        return (self.stop - self.start) // self.size

    def last_apart(self) -> tuple["Part", ...]:
        """The last piece as a part of its own, behind the others."""
        cut = self.stop - self.size
        parts = Part(self.start, cut, self.size), Part(cut, self.stop, self.size)
        return parts[0 if self.start < cut else 1 :]


@dataclass(frozen=True, slots=True)
class RowPart:
    """Vectors of rows from `start` below `stop`, `size` in a block, which has at most so many `columns`."""

    vectors: Part
    columns: int


def split(number: int, most: int) -> tuple[Part, ...]:
    """As few pieces as possible of at most `most`; their sizes differ by at most one, and the larger come first."""
    pieces = -(-number // most)
    size, longer = divmod(number, pieces)
    middle = longer * (size + 1)
    parts = Part(0, middle, size + 1), Part(middle, number, size)
    return tuple(part for part in parts if part.start < part.stop)


FEWEST_ROWS = 2
"""Of a last vector that is shorter than others: a vector of one entry is a scalar."""


def choose_last(rows: int, width: int, core: RegisterBlocks, *, is_alone: bool = False) -> LastVector | None:
    """The last vector of so many rows in vectors of `width`; None if it is as long as the others.

    If it `is_alone`, columns cannot share it.
    """
    rest = rows % width
    lanes = max(FEWEST_ROWS, 1 << (rest - 1).bit_length()) if rest else width
    if lanes >= width:
        return None
    columns = 1 if is_alone else min(width // lanes, core.sharing)
    if columns > 1:
        return LastVector(width // columns, columns)
    return LastVector(lanes, 1) if core.short else None


@dataclass(frozen=True, slots=True)
class Rows:
    """The rows of a block: so many vectors, of which so many columns are `sharing` the last one."""

    vectors: int
    sharing: int = 1

    def sums(self, columns: int) -> int:
        """The sums of a block with so many columns."""
        return sums_of(self.vectors, columns, self.sharing)

    def cycles(self, columns: int, depth: int, core: RegisterBlocks) -> float:
        """How long a block with so many columns takes."""
        loads = self.vectors + columns
        busy = max(core.latency, self.sums(columns) / core.a_cycle, loads / core.a_cycle)
        return busy * depth + core.load * loads * depth + core.start

    def cycles_of_all(self, columns: int, width: int, depth: int, core: RegisterBlocks) -> float:
        """How long all columns take in blocks of at most `width`."""
        return sum(part.pieces * self.cycles(part.size, depth, core) for part in split(columns, width))

    def widths(self, columns: int, core: RegisterBlocks) -> Sequence[int]:
        """How many columns may be in a block: registers are left for the vectors of rows and an entry of a column.

        Columns that share a vector need the entries of all, and these in one vector.
        """
        if columns == 1:
            return (1,)
        free = core.registers - self.vectors - (1 if self.sharing == 1 else self.sharing + 1)
        return list(takewhile(lambda width: self.sums(width) <= free, range(1, columns + 1)))


def choose_blocks(
    vectors: int, columns: int, depth: int | None, target: Target, *, is_copied: bool = False, sharing: int = 1
) -> tuple[RowPart, ...]:
    """The blocks that take the fewest cycles for a result of so many vectors of rows and columns.

    The rows of a block that are copied (see `panel`) are no more than `most_rows` of the machine. If several columns
    are `sharing` the last vector, its block is a part of its own.
    """
    core = target.machine.work_group.blocks
    if 1 < columns <= core.narrow and not is_copied:
        core = replace(core, registers=target.vector_registers)
    most = min(vectors, core.most_rows if columns > 1 or is_copied else target.vector_registers - 2)
    blocks = (_parts(vectors, size, sharing) for size in range(1, most + 1))
    choices = (_row_parts(parts, columns, depth or TYPICAL_DEPTH, core) for parts in blocks)
    return min((choice for choice in choices if choice is not None), key=lambda choice: choice[0])[1]


def _parts(vectors: int, size: int, sharing: int) -> list[tuple[Part, Rows]]:
    """Blocks of at most so many vectors. The last one stands apart if columns share its last vector."""
    *parts, last = split(vectors, size)
    parts += last.last_apart() if sharing > 1 else (last,)
    return [(part, Rows(part.size, sharing if part.stop == vectors else 1)) for part in parts]


def _row_parts(
    blocks: Sequence[tuple[Part, Rows]], columns: int, depth: int, core: RegisterBlocks
) -> tuple[float, tuple[RowPart, ...]] | None:
    """The cycles of these blocks of rows, and with how many columns; None if they do not fit into the registers."""
    total, row_parts = 0.0, []
    for part, rows in blocks:
        widths = rows.widths(columns, core)
        if not widths:
            return None
        each, width = min((rows.cycles_of_all(columns, width, depth, core), width) for width in widths)
        total += part.pieces * each
        row_parts.append(RowPart(part, width))
    return total, tuple(row_parts)


# -- the depths at which each vector of rows has summands that may differ from zero ------------------------------------
# A product leaves the others out. A block runs through its depths in stages, each with the vectors that have
# something there; for a triangle,
#
#     rows 0 to 3     x x x x x x x x      stage 0 to 1: vector 0
#     rows 4 to 7     . . x x x x x x      stage 2 to 4: vectors 0 and 1
#     rows 8 to 11    . . . . . x x x      stage 5 to 7: vectors 0, 1 and 2

SPARSE = 0.7
"""The share of the terms of a product that is left at most where they are unrolled."""


@dataclass(frozen=True, slots=True)
class Stage:
    """The depths from `start` below `stop`, and the numbers of the vectors that take part."""

    start: int
    stop: int
    vectors: frozenset[int]

    def joined(self, other: "Stage") -> "Stage":
        """This stage and the next one as one."""
        return Stage(self.start, other.stop, self.vectors | other.vectors)

    def cycles(self, work: "Work", core: RegisterBlocks) -> float:
        """How long it takes in a block with this work: the next loop need not wait for the sums of this one."""
        return core.loop + (self.stop - self.start) * sum(work[vector] for vector in self.vectors) / core.a_cycle


Work = Sequence[int]
"""The multiply-adds of each vector of rows of a block at a depth."""


def work_of(vectors: int, columns: int, sharing: int = 1) -> Work:
    """That of a block with so many columns, which are `sharing` the last vector."""
    return *(columns for _ in range(vectors - 1)), -(-columns // sharing)


def active_vectors(summands: Mask, width: int, last: LastVector | None, core: RegisterBlocks) -> Mask | None:
    """Whether a vector (first axis) of `width` rows takes part at a depth (second); None if too few are left out.

    The last vector ends with the last row.
    """
    rows = summands.shape[0]
    lanes = width if last is None else last.rows
    starts = (*range(0, rows - width, width), rows - lanes)
    active = np.array([summands[start : start + width].any(axis=0) for start in starts])
    return active if active.mean() <= core.left else None


def sparse_terms(summands: Mask, vectors: int, core: RegisterBlocks) -> Mask | None:
    """The columns (second axis) that each depth adds something to; None if too few are left out, or it is too long."""
    terms = np.asarray(summands.any(axis=0))
    is_short = int(terms.sum()) * vectors <= core.sparse
    return terms if is_short and terms.mean() <= SPARSE else None


def unrolled_terms(terms: Mask, active: Mask | None, lanes: Sequence[int]) -> int:
    """Multiply-adds where all depths are unrolled, by vectors that have so many lanes."""
    each = terms.sum(axis=1)
    return int(each.sum()) * sum(lanes) if active is None else int(np.asarray(lanes) @ active @ each)


def find_stages(active: Mask, work: Work, core: RegisterBlocks) -> tuple[Stage, ...]:
    """The stages of a block with these vectors and their work; short ones are joined where that is faster."""
    changes = np.flatnonzero((active[:, 1:] != active[:, :-1]).any(axis=0)) + 1
    runs = pairwise([0, *changes.tolist(), active.shape[1]])
    stages = [Stage(start, stop, frozenset(np.flatnonzero(active[:, start]).tolist())) for start, stop in runs]
    stages = [stage for stage in stages if stage.vectors]
    waste = [_waste(one, other, work, core) for one, other in pairwise(stages)]
    while waste:
        least = int(np.argmin(waste))
        if waste[least] > 0:
            break
        stages[least : least + 2] = [stages[least].joined(stages[least + 1])]
        around = pairwise(stages[max(least - 1, 0) : least + 2])  # what the neighbours of the new one waste now
        waste[max(least - 1, 0) : least + 2] = [_waste(one, other, work, core) for one, other in around]
    return tuple(stages)


def cycles_in_stages(active: Mask, columns: int, last: LastVector | None, target: Target) -> float:
    """How long a product with these vectors and so many columns takes."""
    (vectors, depth), core = active.shape, target.machine.work_group.blocks
    sharing = 1 if last is None else last.columns
    total = 0.0
    for rows in choose_blocks(vectors, columns, depth, target, sharing=sharing):
        for first in range(rows.vectors.start, rows.vectors.stop, rows.vectors.size):
            size = rows.vectors.size
            for part in split(columns, rows.columns):
                work = work_of(size, part.size, sharing if first + size == vectors else 1)
                stages = find_stages(active[first : first + size], work, core)
                total += part.pieces * sum(stage.cycles(work, core) for stage in stages)
    return total


def _waste(one: Stage, other: Stage, work: Work, core: RegisterBlocks) -> float:
    """How much longer two stages take as one."""
    return one.joined(other).cycles(work, core) - one.cycles(work, core) - other.cycles(work, core)
