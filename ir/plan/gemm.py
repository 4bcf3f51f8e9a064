"""Loops over matrix products: which indices of a product are the modes of the matrices, and which are looped over.

With I_m the indices of the left operand and the result, I_n of the right operand and the result, I_k of both operands,
a matrix product takes one index from each set, or one group of indices that are neighbours in memory in both tensors
that have them. The other indices of the sets, and those that all three tensors have, are loops around it.

The choice is by cycles of a core with vectors of 32 bytes: multiplications, which are fast if rows of the result are
neighbours in memory there and in the operand that has them; products of matrices to start; waiting for memory.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import inf, prod
from operator import itemgetter

from ir.index import IndexMap
from ir.plan.matrices import groups, modes_in_memory
from ir.plan.plan import Step
from ir.plan.waiting import Loop, waiting_cycles
from ir.tensor import Tensor

VECTOR_BYTES = 32

CALL = 36.0
"""Cycles that it takes to start a matrix product."""

IN_VECTORS = 0.5
"""Cycles of a multiplication of vectors whose rows are neighbours everywhere."""

BY_DEPTH, GATHERED, SCATTERED = 0.25, 0.38, 0.68
"""Cycles of one multiplication otherwise: if rows are neighbours in the result only, and depths in the operand; if rows
are neighbours in the result only; if they are not even there."""

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
        self._extents = step.space.extents
        views = (*step.operands, step.target)
        self._modes = [modes_in_memory(view, self._extents, tensors[view.buffer]) for view in views]
        self._size = tensors[step.target.buffer].element_type.size
        self._strides = [{mode.index: mode.stride * self._size for mode in modes} for modes in self._modes]
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
        """Cycles of the multiplications of a choice and of starting them."""
        operand, rows, _ = self._matrices(loops)
        return self._points * self._rate(operand, rows, loops.k) + self._count(loops.loops) * CALL

    def waiting(self, loops: LoopsOverGemm) -> float:
        """Cycles that a choice waits for memory."""
        operand, rows, columns = self._matrices(loops)
        return waiting_cycles(self._nest(rows, columns, loops, self._is_in_vectors(operand, rows)))

    def _matrices(self, loops: LoopsOverGemm) -> tuple[int, IndexMap, IndexMap]:
        """The operand that has the rows, the rows, the columns: rows are the group that is faster in the result."""
        fastest = next((mode.index for mode in self._modes[2] if mode.index in (*loops.m, *loops.n)), None)
        return (0, loops.m, loops.n) if fastest in loops.m else (1, loops.n, loops.m)

    def _rate(self, operand: int, rows: IndexMap, depths: IndexMap) -> float:
        """Cycles for each multiplication."""
        if self._is_in_vectors(operand, rows):
            return IN_VECTORS * self._vectors(rows) / self._count(rows)
        if not rows or self._strides[2][rows[0]] > self._size:
            return SCATTERED
        return BY_DEPTH if depths and self._strides[operand][depths[0]] == self._size else GATHERED

    def _is_in_vectors(self, operand: int, rows: IndexMap) -> bool:
        return bool(rows) and self._strides[2][rows[0]] == self._strides[operand][rows[0]] == self._size

    def _vectors(self, rows: IndexMap) -> int:
        return -(-self._count(rows) * self._size // VECTOR_BYTES)

    def _nest(self, rows: IndexMap, columns: IndexMap, loops: LoopsOverGemm, is_in_vectors: bool) -> list[Loop]:
        """The loops from the innermost to the outermost: those of the blocks, of the matrix product, around it."""
        high = next(height for height in (3, 2, 1) if self._vectors(rows) % height == 0) if is_in_vectors else 2
        blocks = [(rows, high * VECTOR_BYTES // self._size), (columns, BLOCK_COLUMNS[high] if is_in_vectors else 3)]
        inside = [self._loop(group, min(block, self._count(group))) for group, block in blocks]
        around = [self._loop(group, -(-self._count(group) // block), block) for group, block in blocks]
        matrices = [*inside, self._loop(loops.k, self._count(loops.k)), *(around[::-1] if is_in_vectors else around)]
        contracted = [index for index in reversed(loops.loops) if index not in self._strides[2]]
        outer = [mode.index for mode in self._modes[2] if mode.index in loops.loops]
        return [*matrices, *(self._loop((index,), self._extents[index]) for index in (*contracted, *outer))]

    def _loop(self, group: IndexMap, extent: int, step: int = 1) -> Loop:
        strides = self._moves[group[0]] if group else (None, None, None)
        return Loop(extent, strides if step == 1 else tuple(None if each is None else each * step for each in strides))

    def _count(self, group: IndexMap) -> int:
        return prod(self._extents[index] for index in group)
