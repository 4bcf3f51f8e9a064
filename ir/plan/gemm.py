"""Loops over matrix products: which indices of a product are the modes of the matrices, and which are looped over.

With I_m the indices of the left operand and the result, I_n of the right operand and the result, I_k of both operands,
a matrix product takes one index from each set, or one group of indices that are neighbours in memory in both tensors
that have them. The other indices of the sets, and those that all three tensors have, are loops around it.

The choice is by cycles: what a product does is counted, and each of these things takes a core so many of them
(`core.machine.GemmModel`). `python -m benchmarks.weights` measures products of random tensors and fits the cycles.
"""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import inf, prod
from operator import itemgetter, mul

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import hint
from einsum_front.core.machine import GemmModel, GemmWork, Machine, Memory
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.cache_model import Loop, fetched
from einsum_front.ir.plan.matrices import Mode, groups, modes_in_memory
from einsum_front.ir.plan.plan import Step
from einsum_front.ir.tensor import Tensor


def cycles_of(work: GemmWork, machine: Machine) -> float:
    """The cycles that the work takes."""
    return _cycles(work, machine.gemm)


def _cycles(work: GemmWork, model: GemmModel) -> float:
    return float(sum(map(mul, work, model.cycles)))


@dataclass(frozen=True, slots=True)
class LoopsOverGemm:
    """The groups of indices that are m, n and k, the fastest first, and the indices that are looped over."""

    m: IndexMap
    n: IndexMap
    k: IndexMap
    loops: IndexMap


def loops_over_gemm(step: Step, tensors: Mapping[str, Tensor], machine: Machine) -> LoopsOverGemm:
    """How a product with reduction becomes loops over matrix products: fewest cycles, then the largest groups."""
    return cheapest_loops(step, tensors, machine)[0]


def cheapest_loops(step: Step, tensors: Mapping[str, Tensor], machine: Machine) -> tuple[LoopsOverGemm, float]:
    """The loops over matrix products of a step, and their cycles; remembered, as many orders have the same products."""
    return _cheapest(walks_of(step, tensors), machine.gemm, machine.memory)


@dataclass(frozen=True, slots=True)
class Walks:
    """What of a product its loops depend on.

    That is the extent of each index, the bytes of an entry, and of each tensor, the target last, the modes in memory.
    """

    extents: tuple[tuple[str, int], ...]
    size: int
    modes: tuple[tuple[Mode, ...], ...]


def walks_of(step: Step, tensors: Mapping[str, Tensor]) -> Walks:
    """How the tensors of a step are walked."""
    views = (*step.operands, step.target)
    return Walks(
        tuple((name, hint(extent)) for name, extent in step.space.extents.items()),
        tensors[step.target.buffer].element_type.size,
        tuple(modes_in_memory(view, step.space.extents, tensors[view.buffer]) for view in views),
    )


@lru_cache(maxsize=2**14)
def _cheapest(walks: Walks, model: GemmModel, memory: Memory) -> tuple[LoopsOverGemm, float]:
    product = LoopedProduct(walks, model, memory)
    choices = [(_cycles(product.arithmetic(loops), model), loops) for loops in product.choices()]
    best, fewest = choices[0][1], inf
    for least, loops in sorted(choices, key=itemgetter(0)):
        if least >= fewest:
            break
        cycles = least + _cycles(product.misses(loops), model)
        if cycles < fewest:
            best, fewest = loops, cycles
    return best, fewest


class LoopedProduct:
    """A product with reduction, where its tensors have their entries, and the ways to loop over matrix products."""

    def __init__(self, walks: Walks, model: GemmModel, memory: Memory) -> None:
        self._model, self._memory = model, memory
        self._modes, self._extents, self._size = walks.modes, dict(walks.extents), walks.size
        self._strides = [{mode.index: hint(mode.stride) * self._size for mode in modes} for modes in self._modes]
        self._moves = {index: tuple(strides.get(index) for strides in self._strides) for index in self._extents}
        self._points = prod(self._extents.values())
        self._of_result = [mode.index for mode in self._modes[2]]
        self._counts: dict[IndexMap, int] = {}

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

    def arithmetic(self, loops: LoopsOverGemm) -> GemmWork:
        """Arithmetic of a choice: multiplications, blocks of the result, copies of rows."""
        operand, rows, columns = self._matrices(loops)
        calls = self._count(loops.loops)
        if not self._is_in_vectors(loops):
            return GemmWork(entries=self._points, calls=calls)
        high = self._high(rows)
        vectors, blocks = self._vectors(rows), -(-self._count(columns) // self._wide(high))
        work = GemmWork(
            vectors=self._points * vectors / self._count(rows),
            calls=calls,
            blocks=calls * (vectors // high) * blocks,
        )
        if not self._is_copied(loops):
            return work
        copied = calls * self._count((*rows, *loops.k))
        is_transposed = self._strides[operand][loops.k[0]] == self._size
        return work._replace(transposed=copied) if is_transposed else work._replace(gathered=copied)

    def misses(self, loops: LoopsOverGemm) -> GemmWork:
        """The pages and lines that a choice fetches; an operand that is copied is not read again for other columns."""
        operand, _, _ = self._matrices(loops)
        parts = [(operand,), (1 - operand, 2)] if self._is_copied(loops) else [(0, 1, 2)]
        misses = [fetched(self._nest(loops, part), self._memory) for part in parts]
        return GemmWork(pages=sum(each.pages for each in misses), lines=sum(each.lines for each in misses))

    def _matrices(self, loops: LoopsOverGemm) -> tuple[int, IndexMap, IndexMap]:
        """The operand that has the rows, the rows, the columns: rows are the group that is faster in the result."""
        m, n = loops.m, loops.n
        for index in self._of_result:
            if index in m:
                return 0, m, n
            if index in n:
                break
        return 1, n, m

    def _is_in_vectors(self, loops: LoopsOverGemm) -> bool:
        """True if rows are neighbours in the result, and in the operand that has them or in a copy of it."""
        operand, rows, _ = self._matrices(loops)
        if not rows or self._strides[2][rows[0]] > self._size:
            return False
        return self._strides[operand][rows[0]] == self._size or self._count(loops.k) <= self._model.deepest_copy

    def _is_copied(self, loops: LoopsOverGemm) -> bool:
        operand, rows, _ = self._matrices(loops)
        return self._is_in_vectors(loops) and self._strides[operand][rows[0]] > self._size

    def _vectors(self, rows: IndexMap) -> int:
        return -(-self._count(rows) * self._size // self._model.vector_bytes)

    def _high(self, rows: IndexMap) -> int:
        """Vectors of rows in a block of the result."""
        return next(high for high in range(len(self._model.block_columns), 0, -1) if self._vectors(rows) % high == 0)

    def _wide(self, high: int) -> int:
        """Columns in a block of the result with so many vectors of rows."""
        return self._model.block_columns[high - 1]

    def _nest(self, loops: LoopsOverGemm, operands: tuple[int, ...]) -> list[Loop]:
        """The loops from the innermost to the outermost: those of the blocks, of the matrix product, around it.

        Strides are those of some operands; loops of the matrix product in which none of them moves are left out.
        """
        _, rows, columns = self._matrices(loops)
        is_in_vectors = self._is_in_vectors(loops)
        high = self._high(rows) if is_in_vectors else 2
        wide = self._wide(high) if is_in_vectors else 3
        rows_inside = high * self._model.vector_bytes // self._size
        inside = [self._loop(rows, operands, rows_inside), self._loop(columns, operands, wide)]
        around = [
            self._loop(rows, operands, block=inside[0].count),
            self._loop(columns, operands, block=inside[1].count),
        ]
        matrices = [*inside, self._loop(loops.k, operands), *(around[::-1] if is_in_vectors else around)]
        contracted = [index for index in reversed(loops.loops) if index not in self._strides[2]]
        outer = [index for index in self._of_result if index in loops.loops]
        nest = [loop for loop in matrices if any(stride is not None for stride in loop.strides)]
        return nest + [self._loop((index,), operands) for index in (*contracted, *outer)]

    def _loop(self, group: IndexMap, operands: tuple[int, ...], most: int = 0, block: int = 1) -> Loop:
        """A loop over a group, or at most so many positions of it."""
        strides = self._moves[group[0]] if group else (None, None, None)
        count = self._count(group)
        return Loop(min(most or count, count), tuple([strides[operand] for operand in operands]), block)

    def _count(self, group: IndexMap) -> int:
        found = self._counts.get(group)
        if found is None:
            found = self._counts[group] = prod([self._extents[index] for index in group])
        return found
