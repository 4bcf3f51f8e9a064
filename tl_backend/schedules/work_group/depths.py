"""The depths at which each vector of rows has summands that may differ from zero: a product leaves the others out.

A block runs through its depths in stages, each with the vectors that have something there; for a triangle,

    rows 0 to 3     x x x x x x x x      stage 0 to 1: vector 0
    rows 4 to 7     . . x x x x x x      stage 2 to 4: vectors 0 and 1
    rows 8 to 11    . . . . . x x x      stage 5 to 7: vectors 0, 1 and 2
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import RegisterBlocks
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.lowering.outer_product import LastVector
from einsum_front.tl_backend.schedules.work_group.register_blocks import choose_blocks, split

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
