"""Loops over matrix products: which indices of a product are the modes of the matrices, and which are looped over.

With I_m the indices of the left operand and the result, I_n of the right operand and the result, I_k of both operands,
a matrix product takes one index from each set, or one group of indices that are neighbours in memory in both tensors
that have them. The other indices of the sets, and those that all three tensors have, are loops around it.

The choice is by cycles: what a product does is counted, and each of these things takes a core so many of them
(`core.machine.GemmModel`). `python -m benchmarks.weights` measures products of random tensors and fits the cycles.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, lru_cache
from math import gcd, inf, prod
from operator import itemgetter, mul
from typing import NamedTuple

from einsum_front.core.extent import Extent, hint, product
from einsum_front.core.machine import Cache, GemmModel, GemmWork, Machine, Memory
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.plan import Step, StepKind, View
from einsum_front.ir.tensor import Tensor

# -- the cache and TLB model: how often a nest of loops waits for memory -----------------------------------------------
# Two things are near a core: the pages whose addresses are translated, and the lines of the first cache. Both hold so
# many in each of their sets, and tensors whose extents are powers of two fill few sets. An operand is read again in a
# loop that it does not depend on, and the same line in a loop of small strides, as long as what is touched in an
# iteration stays near; otherwise a part of it is fetched again: of what wants to be in a set, that of its own and
# what others have in a set on average, as much as does not fit.


class Loop(NamedTuple):
    """A loop over `length` positions, and the bytes from one to the next for each operand; None: it stays where it is.

    If a loop inside runs over blocks of some of these positions, this one takes a step for each `block`.
    """

    length: int
    strides: tuple[int | None, ...]
    block: int = 1


class Fetched(NamedTuple):
    """How many pages and lines are fetched."""

    pages: float
    lines: float


NOTHING = Fetched(0.0, 0.0)


@lru_cache(maxsize=2**14)
def fetched(nest: tuple[Loop, ...], memory: Memory) -> Fetched:
    """What a nest fetches, the innermost loop first; operands that the first cache holds are near once touched.

    It is remembered: products of other indices, and other groups of them, have the same nests.
    """
    loops = [(extent, loop) for loop in nest if (extent := -(-loop.length // loop.block)) > 1]
    reach = sum([(loop.length - 1) * stride for _, loop in loops for stride in loop.strides if stride is not None])
    if reach <= memory.lines.bytes:
        return NOTHING
    return Fetched(_fetched(memory.pages, loops), _fetched(memory.lines, loops))


def _fetched(near: Cache, loops: Sequence[tuple[int, Loop]]) -> float:
    """How many units are fetched: of each operand, its units inside the loops so far, and how many share a set.

    Each loop stands behind the number of its iterations.
    """
    operands, unit, sets, room = len(loops[0][1].strides), near.unit, near.sets, near.ways
    span = unit * sets
    units, ways, fetched = [1.0] * operands, [1.0] * operands, [1.0] * operands
    for extent, (length, strides, block) in loops:
        total = sum(units)
        for operand, stride in enumerate(strides):
            used = ways[operand] + (total - units[operand]) / sets
            gone = 1 - (room / used) ** 2 if used > room else 0.0  # the share of units that are not near any more
            if stride is not None:
                new_units, new_ways = _growth(unit, span, length, block, stride)
                fetched[operand] *= new_units + gone * (extent - new_units)
                units[operand] *= new_units
                ways[operand] = max(ways[operand] * new_ways, units[operand] / sets)
            elif gone:
                fetched[operand] *= 1 + gone * (extent - 1)
    return sum(fetched)


@cache
def _growth(unit: int, span: int, count: int, block: int, stride: int) -> tuple[float, float]:
    """How many times as many units so many positions have as a block of them, and how many times as many in one set."""
    (all_units, all_ways), (units, ways) = (_units(unit, span, number, stride) for number in (count, block))
    return all_units / units, all_ways / ways


def _units(unit: int, span: int, count: int, stride: int) -> tuple[float, float]:
    """How many units so many positions have, and how many of them are in one set; sets recur every `span` bytes."""
    units = max(1.0, count * min(1.0, stride / unit))
    return units, units / max(1.0, min(units, span / gcd(stride, span)))


# -- which modes of tensors can be modes of matrices -------------------------------------------------------------------
# One index, or a group of neighbours in memory.

FEW = 3


class Mode(NamedTuple):
    """A mode of a view that the index of this name walks: its stride in elements and how far the index runs."""

    name: str
    stride: Extent
    extent: Extent


def modes_in_memory(view: View, extents: Mapping[str, Extent], tensor: Tensor) -> tuple[Mode, ...]:
    """The modes of a view that indices walk, from the fastest to the slowest."""
    strides, parts = tensor.spread, view.parts
    return tuple([
        Mode(part.index, strides[mode], extents[part.index])
        for mode in tensor.modes_by_stride
        if isinstance(part := parts[mode], cg.Along)
    ])  # fmt: skip


def groups(one: tuple[Mode, ...], other: tuple[Mode, ...], members: set[str]) -> list[IndexMap]:
    """The groups out of `members` that are one mode in both, the largest first, then the fastest in `one`.

    Of many, a few of the largest ones, and of those that vectors can run along; the empty one, if there are no members.
    """
    found = sorted(_runs(one, other, members), key=lambda group: -hint(product([mode.extent for mode in group])))
    kept = dict.fromkeys((*found[:FEW], *[group for group in found if group[0].stride == 1][:FEW]))
    return [tuple([mode.name for mode in group]) for group in kept] or [()]


def _runs(one: tuple[Mode, ...], other: tuple[Mode, ...], members: set[str]) -> Iterator[tuple[Mode, ...]]:
    """All runs of members that are neighbours in the same order, and one mode, in both."""
    names = [mode.name for mode in other]
    for start, first in enumerate(one):
        if first.name not in members:
            continue
        place, last = names.index(first.name), None
        for stop, pair in enumerate(zip(one[start:], other[place:], strict=False), start + 1):
            index = pair[0].name
            if index != pair[1].name or index not in members or not (last is None or _goes_on(last, pair)):
                break
            yield one[start:stop]
            last = pair


def _goes_on(before: tuple[Mode, Mode], behind: tuple[Mode, Mode]) -> bool:
    """True if the modes behind are where those before them end."""
    return all(fast.stride * fast.extent == slow.stride for fast, slow in zip(before, behind, strict=True))


def cycles_of(work: GemmWork, machine: Machine) -> float:
    """The cycles that the work takes."""
    return _cycles(work, machine.gemm)


def _cycles(work: GemmWork, model: GemmModel) -> float:
    return float(sum(map(mul, work, model.cycles)))


class LoopsOverGemm(NamedTuple):
    """The groups of indices that are m, n and k, the fastest first, and the indices that are looped over."""

    m: IndexMap
    n: IndexMap
    k: IndexMap
    loops: IndexMap


def loops_over_gemm(step: Step, tensors: Mapping[str, Tensor], machine: Machine) -> LoopsOverGemm:
    """How a product with reduction becomes loops over matrix products: fewest cycles, then the largest groups."""
    return cheapest_loops(walks_of(step, tensors), machine)[0]


class Walks(NamedTuple):
    """What of a product its loops depend on.

    That is the extent of each index, the bytes of an entry, and of each tensor, the target last, the modes in memory.
    """

    extents: tuple[tuple[str, int], ...]
    size: int
    modes: tuple[tuple[Mode, ...], ...]


def walks_of(step: Step, tensors: Mapping[str, Tensor]) -> Walks:
    """How the tensors of a step are walked."""
    views, extents = (*step.operands, step.target), step.space.extents
    modes = tuple([modes_in_memory(view, extents, tensors[view.buffer]) for view in views])
    return Walks(hints(extents), tensors[step.target.buffer].element_type.size, modes)


def hints(extents: Mapping[str, Extent]) -> tuple[tuple[str, int], ...]:
    """The number that each index is thought to run to."""
    return tuple([(name, hint(extent)) for name, extent in extents.items()])


def cheapest_loops(walks: Walks, machine: Machine) -> tuple[LoopsOverGemm, float]:
    """The loops over matrix products, and their cycles; remembered, as many orders have the same products."""
    return _cheapest(walks, machine.gemm, machine.memory)


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


class Matrices(NamedTuple):
    """The matrix products of a choice: the `operand` that has the `rows`, the group that is faster in the result.

    `is_in_vectors` says that rows are neighbours in the result, and in the operand that has them or in a copy of it;
    `is_copied`, that it is a copy. A block of the result has `high` vectors of rows, and `wide` columns.
    """

    operand: int
    rows: IndexMap
    columns: IndexMap
    is_in_vectors: bool
    is_copied: bool
    high: int
    wide: int


class LoopedProduct:
    """A product with reduction, where its tensors have their entries, and the ways to loop over matrix products."""

    def __init__(self, walks: Walks, model: GemmModel, memory: Memory) -> None:
        self._model, self._memory = model, memory
        self._modes, self._extents, self._size = walks.modes, dict(walks.extents), walks.size
        self._strides = [{mode.name: hint(mode.stride) * self._size for mode in modes} for modes in self._modes]
        self._moves = {index: tuple([strides.get(index) for strides in self._strides]) for index in self._extents}
        ends = [(self._extents[index] - 1) * by for strides in self._strides for index, by in strides.items()]
        self._is_near = 2 * sum(ends) <= memory.lines.bytes  # no nest reaches farther: rows and columns have two loops
        self._points = prod(self._extents.values())
        self._of_result = [mode.name for mode in self._modes[2]]
        self._counts: dict[IndexMap, int] = {}
        self._found: dict[LoopsOverGemm, Matrices] = {}

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
                    yield LoopsOverGemm(m, n, k, tuple([index for index in self._extents if index not in taken]))

    def arithmetic(self, loops: LoopsOverGemm) -> GemmWork:
        """Arithmetic of a choice: multiplications, blocks of the result, copies of rows."""
        made, calls = self._matrices(loops), self._count(loops.loops)
        if not made.is_in_vectors:
            return GemmWork(entries=self._points, calls=calls)
        vectors, blocks = self._vectors(made.rows), -(-self._count(made.columns) // made.wide)
        work = GemmWork(
            vectors=self._points * vectors / self._count(made.rows),
            calls=calls,
            blocks=calls * (vectors // made.high) * blocks,
        )
        if not made.is_copied:
            return work
        copied = calls * self._count((*made.rows, *loops.k))
        is_transposed = self._strides[made.operand][loops.k[0]] == self._size
        return work._replace(transposed=copied) if is_transposed else work._replace(gathered=copied)

    def misses(self, loops: LoopsOverGemm) -> GemmWork:
        """The pages and lines that a choice fetches; an operand that is copied is not read again for other columns."""
        if self._is_near:
            return GemmWork()
        made = self._matrices(loops)
        parts = [(made.operand,), (1 - made.operand, 2)] if made.is_copied else [(0, 1, 2)]
        misses = [fetched(self._nest(loops, made, part), self._memory) for part in parts]
        return GemmWork(pages=sum(each.pages for each in misses), lines=sum(each.lines for each in misses))

    def _matrices(self, loops: LoopsOverGemm) -> Matrices:
        found = self._found.get(loops)
        if found is None:
            is_left = next(
                (index in loops.m for index in self._of_result if index in loops.m or index in loops.n), False
            )
            operand, rows, columns = (0, loops.m, loops.n) if is_left else (1, loops.n, loops.m)
            stride = self._strides[operand][rows[0]] if rows else 0
            is_near = bool(rows) and self._strides[2][rows[0]] <= self._size
            is_in_vectors = is_near and (stride == self._size or self._count(loops.k) <= self._model.deepest_copy)
            high, wide = self._block(rows) if is_in_vectors else (2, 3)
            is_copied = is_in_vectors and stride > self._size
            found = self._found[loops] = Matrices(operand, rows, columns, is_in_vectors, is_copied, high, wide)
        return found

    def _vectors(self, rows: IndexMap) -> int:
        return -(-self._count(rows) * self._size // self._model.vector_bytes)

    def _block(self, rows: IndexMap) -> tuple[int, int]:
        """Vectors of rows in a block of the result, and its columns."""
        vectors, columns = self._vectors(rows), self._model.block_columns
        high = next(high for high in range(len(columns), 0, -1) if vectors % high == 0)
        return high, columns[high - 1]

    def _nest(self, loops: LoopsOverGemm, made: Matrices, operands: tuple[int, ...]) -> tuple[Loop, ...]:
        """The loops from the innermost to the outermost: those of the blocks, of the matrix product, around it.

        Strides are those of some operands; loops of the matrix product in which none of them moves are left out.
        """
        moves, still = self._moves, (None,) * len(operands)
        if len(operands) < len(self._modes):
            moves = {index: tuple([strides[operand] for operand in operands]) for index, strides in moves.items()}
        (rows, row), (columns, column), (depth, deep) = [
            (self._count(group), moves[group[0]] if group else still) for group in (made.rows, made.columns, loops.k)
        ]
        high, wide = min(made.high * self._model.vector_bytes // self._size, rows), min(made.wide, columns)
        around = [Loop(rows, row, high), Loop(columns, column, wide)]
        inside = [Loop(high, row), Loop(wide, column), Loop(depth, deep)]
        matrices = (*inside, *(around[::-1] if made.is_in_vectors else around))
        contracted = [index for index in reversed(loops.loops) if index not in self._strides[2]]
        outer = [index for index in self._of_result if index in loops.loops]
        nest = [loop for loop in matrices if loop.strides != still]
        return (*nest, *[Loop(self._extents[index], moves[index]) for index in (*contracted, *outer)])

    def _count(self, group: IndexMap) -> int:
        found = self._counts.get(group)
        if found is None:
            found = self._counts[group] = prod([self._extents[index] for index in group])
        return found


# -- costs of a step in cycles of a core, with given layouts -----------------------------------------------------------

Tensors = Mapping[str, Tensor]


def cycles(step: Step, tensors: Tensors, machine: Machine) -> float:
    """Cycles of a step; of a product with reduction, in the loops over matrix products that take the least."""
    walks = walks_of(step, tensors)
    if step.kind is StepKind.LOG:
        return cheapest_loops(walks, machine)[1]
    return cycles_of_moves([index.name for index in step.space.reduction], walks, machine)


def cycles_of_moves(reduction: Sequence[str], walks: Walks, machine: Machine) -> float:
    """Cycles of a step that multiplies no matrices."""
    extents, size, modes = walks
    misses = fetched(_nest(reduction, dict(extents), size, modes), machine.memory)
    arithmetic = _arithmetic(modes, size, machine) * prod([extent for _, extent in extents])
    return arithmetic + cycles_of(GemmWork(pages=misses.pages, lines=misses.lines), machine)


def least_cycles(step: Step, size: int, machine: Machine) -> float:
    """Lower bound on the cycles of a step with entries of so many bytes, whatever the layouts."""
    model = machine.gemm
    return hint(product(step.space.extents.values())) * model.cycles.vectors * size / model.vector_bytes


def _arithmetic(modes: Sequence[Sequence[Mode]], size: int, machine: Machine) -> float:
    """Cycles for each entry: a part of a vector, if all that walk the fastest mode of the target are neighbours."""
    first = modes[-1][0].name if modes[-1] else None
    is_near = all(mode.stride == 1 for each in modes for mode in each if mode.name == first)
    is_in_vectors, model = first is not None and is_near, machine.gemm
    return model.vector_moved * size / model.vector_bytes if is_in_vectors else model.entry_moved


def _nest(
    reduction: Sequence[str], extents: Mapping[str, int], size: int, modes: Sequence[Sequence[Mode]]
) -> tuple[Loop, ...]:
    """The loops of a step, sums inside, then the modes of the target from the fastest to the slowest."""
    strides = [{mode.name: hint(mode.stride) * size for mode in each} for each in modes]
    names = (*reduction, *(mode.name for mode in modes[-1]))
    return tuple([Loop(extents[name], tuple([each.get(name) for each in strides])) for name in names])
