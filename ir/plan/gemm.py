"""Loops over matrix products: which indices of a product are the modes of the matrices, and which are looped over.

With I_m the indices of the left operand and the result, I_n of the right operand and the result, I_k of both operands,
a matrix product takes one index from each set, or one group of indices that are neighbours in memory in both tensors
that have them. The other indices of the sets, and those that all three tensors have, are loops around it.

The choice is by cycles of a core with vectors of 32 bytes: multiplications, which are fast if rows of the result are
neighbours in memory; copies of the operand that has the rows, if they are none there; products of matrices to start;
waiting for memory.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf, prod
from operator import itemgetter

from ir.index import IndexMap
from ir.plan.matrices import groups, modes_in_memory
from ir.plan.plan import Step
from ir.plan.waiting import Loop, waiting_cycles
from ir.run_time import assumed
from ir.tensor import Tensor

VECTOR_BYTES = 32

CALL = 36.0
"""Cycles that it takes to start a matrix product."""

IN_VECTORS, ONE_BY_ONE = 0.5, 0.68
"""Cycles of a multiplication of vectors, and of one of entries, where rows of the result are no neighbours."""

COPY = 0.25
"""Cycles to copy an entry of the operand that has the rows, where they are no neighbours."""

COPY_LINE = 13.0
"""Cycles that a copy waits for a line that is not near: unlike multiplications it has nothing else to do."""

DEEPEST_COPY = 128
"""Depths of a block of rows of which a copy stays in the caches beside the core."""

BLOCK_COLUMNS = {1: 8, 2: 5, 3: 4}
"""Columns of a block of the result in registers, by the vectors of its rows."""


@dataclass(frozen=True, slots=True)
class LoopsOverGemm:
    """The groups of indices that are m, n and k, the fastest first, and the indices that are looped over."""

    m: IndexMap
    n: IndexMap
    k: IndexMap
    loops: IndexMap


def loops_over_gemm(step: Step, tensors: Mapping[str, Tensor]) -> LoopsOverGemm:
    """How a product with reduction becomes loops over matrix products: fewest cycles, then the largest groups."""
    return cheapest_loops(step, tensors)[0]


def cheapest_loops(step: Step, tensors: Mapping[str, Tensor]) -> tuple[LoopsOverGemm, float]:
    """The loops over matrix products of a step, and their cycles."""
    product = _Product(step, tensors)
    choices = sorted(((product.arithmetic(loops), loops) for loops in product.choices()), key=itemgetter(0))
    best, fewest = choices[0][1], inf
    for arithmetic, loops in choices:
        if arithmetic >= fewest:
            break
        cycles = arithmetic + product.waiting(loops)
        if cycles < fewest:
            best, fewest = loops, cycles
    return best, fewest


class _Product:
    """A product with reduction, and where its tensors have their entries."""

    def __init__(self, step: Step, tensors: Mapping[str, Tensor]) -> None:
        views = (*step.operands, step.target)
        self._modes = [modes_in_memory(view, step.space.extents, tensors[view.buffer]) for view in views]
        self._extents = {name: assumed(extent) for name, extent in step.space.extents.items()}
        self._size = tensors[step.target.buffer].element_type.size
        self._strides = [{mode.index: assumed(mode.stride) * self._size for mode in modes} for modes in self._modes]
        self._moves = {index: tuple(strides.get(index) for strides in self._strides) for index in self._extents}
        self._points = prod(self._extents.values())

    def choices(self) -> Iterator[LoopsOverGemm]:
        """All ways to take one group of each set."""
        left, right, result = self._modes
        in_left, in_right, in_result = (set(strides) for strides in self._strides)
        common = in_left & in_right & in_result
        rows = groups(result, left, (in_left & in_result) - common)
        columns = groups(result, right, (in_right & in_result) - common)
        depths = groups(left, right, (in_left & in_right) - common)
        for m in rows:
            for n in columns:
                for k in depths:
                    taken = {*m, *n, *k}
                    yield LoopsOverGemm(m, n, k, tuple(index for index in self._extents if index not in taken))

    def arithmetic(self, loops: LoopsOverGemm) -> float:
        """Cycles of the multiplications of a choice, of starting them, and of copies for them."""
        _, rows, _ = self._matrices(loops)
        rate = IN_VECTORS * self._vectors(rows) / self._count(rows) if self._is_in_vectors(loops) else ONE_BY_ONE
        copied = self._count((*rows, *loops.k)) if self._is_copied(loops) else 0
        return self._points * rate + self._count(loops.loops) * (CALL + COPY * copied)

    def waiting(self, loops: LoopsOverGemm) -> float:
        """Cycles that a choice waits for memory; an operand that is copied is not read again for other columns."""
        if not self._is_copied(loops):
            return waiting_cycles(self._nest(loops, (0, 1, 2)))
        operand, _, _ = self._matrices(loops)
        copying = waiting_cycles(self._nest(loops, (operand,)), COPY_LINE)
        return copying + waiting_cycles(self._nest(loops, (1 - operand, 2)))

    def _matrices(self, loops: LoopsOverGemm) -> tuple[int, IndexMap, IndexMap]:
        """The operand that has the rows, the rows, the columns: rows are the group that is faster in the result."""
        fastest = next((mode.index for mode in self._modes[2] if mode.index in (*loops.m, *loops.n)), None)
        return (0, loops.m, loops.n) if fastest in loops.m else (1, loops.n, loops.m)

    def _is_in_vectors(self, loops: LoopsOverGemm) -> bool:
        """Whether rows are neighbours in the result, and in the operand that has them or in a copy of it."""
        operand, rows, _ = self._matrices(loops)
        if not rows or self._strides[2][rows[0]] > self._size:
            return False
        return self._strides[operand][rows[0]] == self._size or self._count(loops.k) <= DEEPEST_COPY

    def _is_copied(self, loops: LoopsOverGemm) -> bool:
        operand, rows, _ = self._matrices(loops)
        return self._is_in_vectors(loops) and self._strides[operand][rows[0]] > self._size

    def _vectors(self, rows: IndexMap) -> int:
        return -(-self._count(rows) * self._size // VECTOR_BYTES)

    def _nest(self, loops: LoopsOverGemm, operands: tuple[int, ...]) -> list[Loop]:
        """The loops from the innermost to the outermost: those of the blocks, of the matrix product, around it.

        Strides are those of some operands; loops of the matrix product in which none of them moves are left out.
        """
        _, rows, columns = self._matrices(loops)
        is_in_vectors = self._is_in_vectors(loops)
        high = next(height for height in (3, 2, 1) if self._vectors(rows) % height == 0) if is_in_vectors else 2
        blocks = [(rows, high * VECTOR_BYTES // self._size), (columns, BLOCK_COLUMNS[high] if is_in_vectors else 3)]
        inside = [(group, min(block, self._count(group)), 1) for group, block in blocks]
        around = [(group, -(-self._count(group) // block), block) for group, block in blocks]
        matrices = [*inside, (loops.k, self._count(loops.k), 1), *(around[::-1] if is_in_vectors else around)]
        contracted = [index for index in reversed(loops.loops) if index not in self._strides[2]]
        outer = [mode.index for mode in self._modes[2] if mode.index in loops.loops]
        nest = [self._loop(*each, operands) for each in matrices]
        nest = [loop for loop in nest if any(stride is not None for stride in loop.strides)]
        return nest + [self._loop((index,), self._extents[index], 1, operands) for index in (*contracted, *outer)]

    def _loop(self, group: IndexMap, extent: int, step: int, operands: tuple[int, ...]) -> Loop:
        """A loop over positions of a group that are `step` apart."""
        strides = self._moves[group[0]] if group else (None, None, None)
        chosen = (strides[operand] for operand in operands)
        return Loop(extent, tuple(None if stride is None else stride * step for stride in chosen))

    def _count(self, group: IndexMap) -> int:
        return prod(self._extents[index] for index in group)
