"""Which blocks of a matrix product a work-item keeps in vector registers, by a model of the innermost loop.

In a cycle, a core starts two multiply-adds of vectors and two loads. A sum can be added to every fourth cycle only, so
that eight of them are needed at a time; they share the registers with a column of the left factor and an entry of the
right one. Measured with PoCL 3.0 on AVX2 for squares of 2 to 128 rows: within 2% of the best block, up to 97% of the
peak.

A single column multiplies vectors of the left factor on their way from memory, so that only sums need registers. With
all rows in one block a matrix is read from its first entry to its last, which the prefetcher of the core can foresee:
three matrices times a vector of 32 or 56 rows take 0.75 of the time in a cache, 0.8 and 0.65 from memory.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tl_backend.opencl.target import Target

LATENCY = 4.0
"""Cycles from one addition to a sum to the next."""

A_CYCLE = 2.0
"""Multiply-adds, and loads, that start in a cycle."""

LOAD = 0.05
"""Cycles by which a load delays what does not wait for it."""

START = 12.0
"""Cycles that it takes to clear the sums of a block, to store them, and to get the loop going."""

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


def step_cycles(rows: int, width: int) -> float:
    """What one depth takes in a block of so many vectors of rows and columns."""
    return max(LATENCY, rows * width / A_CYCLE, (rows + width) / A_CYCLE) + LOAD * (rows + width)


def choose_blocks(
    vectors: int, columns: int, depth: int | None, target: Target, *, is_copied: bool = False
) -> tuple[RowPart, ...]:
    """The blocks that take the fewest cycles for a result of so many vectors of rows and columns.

    The rows of a block that are copied (see `panel`) are no more than `most_rows`.
    """

    def cycles(rows: int, width: int) -> float:
        return step_cycles(rows, width) * (depth or TYPICAL_DEPTH) + START

    most = min(vectors, most_rows(target) if columns > 1 or is_copied else target.vector_registers - 2)
    choices = (_row_parts(vectors, rows, columns, target.vector_registers, cycles) for rows in range(1, most + 1))
    return min((choice for choice in choices if choice is not None), key=lambda choice: choice[0])[1]


def most_rows(target: Target) -> int:
    """Vectors of rows in a block of few columns: each needs a register beside that of its sum."""
    return (target.vector_registers - 1) // 2


def _row_parts(
    vectors: int, rows: int, columns: int, registers: int, cycles: Callable[[int, int], float]
) -> tuple[float, tuple[RowPart, ...]] | None:
    """The cycles with at most so many rows in a block, and the blocks; None if they do not fit into the registers."""
    total, parts = 0.0, []
    for part in split(vectors, rows):
        most = min(columns, (registers - 1 - part.size) // part.size) if columns > 1 else 1
        if most < 1:
            return None
        each, width = min((_total(part.size, columns, width, cycles), width) for width in range(1, most + 1))
        total += part.pieces * each
        parts.append(RowPart(part, width))
    return total, tuple(parts)


def _total(rows: int, columns: int, width: int, cycles: Callable[[int, int], float]) -> float:
    return sum(part.pieces * cycles(rows, part.size) for part in split(columns, width))
