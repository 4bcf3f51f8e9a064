"""Arguments that are one for each element, transposed on the way in and out.

W neighbouring entries of W elements are loaded as W vectors, transposed in registers, and become W entries with a lane
for each element. An entry without neighbours is picked from each element. A vector that is loaded may hold entries that
nobody needs, inside the element; one that is stored holds none.

The lanes behind the last element of the batch repeat that element: they compute the same and store the same.

What an iteration of an unrolled loop loads or stores of an argument, transposed in registers (see `fused`).
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from math import log2

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import convert, converted
from einsum_front.tl_backend.schedules.batch_simd.context import (
    Array,
    LaneContext,
    LoopPrefetch,
    no_prefetch,
    number_at,
)
from einsum_front.tl_backend.schedules.lowering.outer_product import TransposeBlock


@dataclass(frozen=True, slots=True)
class Runs:
    """Positions to transfer: where whole vectors start, and single ones."""

    vectors: tuple[int, ...]
    singles: tuple[int, ...]

    @property
    def cost(self) -> int:
        """About how long it takes, in vectors: an entry is picked from each element as slowly as two vectors."""
        return len(self.vectors) + 2 * len(self.singles)

    def work(self, width: int, transposed: float) -> int:
        """How long the vectors take, in multiplications of vectors, with that for each doubling of the lanes."""
        return round(transposed * log2(width) * width * len(self.vectors))


def loaded_runs(needed: Mask, room: range, width: int) -> Runs:
    """Vectors that cover the needed positions and stay inside the room; one position alone is single."""
    vectors: list[int] = []
    singles: list[int] = []
    positions: list[int] = np.flatnonzero(needed).tolist()
    last = room.stop - width
    first = 0
    while first < len(positions):
        start = min(positions[first], last)
        behind = bisect_left(positions, start + width, first)
        if behind == first + 1 or start < room.start:
            singles += positions[first:behind]
        else:
            vectors.append(start)
        first = behind
    return Runs(tuple(vectors), tuple(singles))


def stored_runs(written: Mask, width: int) -> Runs:
    """Vectors of positions that are all written, without overlap, and what is left."""
    vectors: list[int] = []
    singles: list[int] = []
    for start, stop in intervals(written):
        full = start + (stop - start) // width * width if width > 1 else start
        vectors += range(start, full, width)
        singles += range(full, stop)
    return Runs(tuple(vectors), tuple(singles))


def bridged(written: Mask, allowed: Mask, width: int) -> Mask:
    """The written positions, and allowed ones beside them where that makes fewer transfers.

    Gaps that are shorter than a vector may be closed, and runs may grow until a vector is full.
    """
    closed = written.copy()
    for (_, stop), (start, _) in pairwise(intervals(written)):
        if start - stop < width and allowed[stop:start].all():
            closed[stop:start] = True
    candidates = (written, _grown(written, allowed, width), _grown(closed, allowed, width))
    return min(candidates, key=lambda mask: stored_runs(mask, width).cost)


def _grown(mask: Mask, allowed: Mask, width: int) -> Mask:
    """Runs reach over allowed positions to their sides if that fills their last vector."""
    result = mask.copy()
    for start, stop in intervals(mask):
        missing = -(stop - start) % width
        before = _free(allowed & ~result, start, -1, missing)
        after = _free(allowed & ~result, stop - 1, 1, missing - before)
        if before + after == missing:
            result[start - before : stop + after] = True
    return result


def _free(free: Mask, position: int, step: int, most: int) -> int:
    """How many positions next to this one are free, up to a number."""
    count = 0
    while count < most and 0 <= position + step * (count + 1) < free.size and free[position + step * (count + 1)]:
        count += 1
    return count


def intervals(mask: Mask) -> list[tuple[int, int]]:
    """The runs of positions that are in the mask."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False])).astype(np.int8)))
    return [(int(start), int(stop)) for start, stop in zip(edges[::2], edges[1::2], strict=True)]


@dataclass(frozen=True, slots=True)
class Transfer:
    """An argument and the C names of the pointers to its elements in the lanes, and of the transposing function.

    In memory its numbers are of the type `stored`. Where `slots` are given, an entry after the pointers is the one at
    its slot, counted from `origin` on; else its position is the same.
    """

    base: str
    pointers: tuple[tree.Name, ...]
    transpose: str
    context: LaneContext
    stored: Scalar
    slots: tuple[int, ...] = ()
    origin: tree.Expression = index.ZERO

    @property
    def array(self) -> Array:
        """Where the transposed entries are."""
        return self.context.arrays[self.base]

    @property
    def unaligned(self) -> Vector:
        """A vector in the memory of an element."""
        return Vector(self.stored, self.context.width, is_unaligned=True)

    def name(self, hint: str) -> tree.Name:
        """A name for a variable in the loops."""
        return tree.Name(self.context.inner().names.fresh(hint))

    def block(self, array: tree.Name, first: int = 0) -> TransposeBlock:
        """A vector of each element in an array, transposed in place."""
        return TransposeBlock(array, self.context.vector_type, self.transpose, first)

    def slot(self, position: tree.Expression, lane: int = 0) -> tree.Place:
        """The transposed entry at a position."""
        if self.slots:
            number = number_at(index.add(position, index.constant(lane)), self.slots, "slots", self.context)
            place = index.add(index.add(self.origin, number), index.constant(-self.array.low))
            return tree.Subscript(tree.Name(self.array.name), place)
        return tree.Subscript(tree.Name(self.array.name), index.add(position, index.constant(lane - self.array.low)))

    def vector(self, lane: int, position: tree.Expression, is_const: bool) -> tree.Place:
        """The vector of entries from a position on in the element of a lane."""
        pointer = Pointer(self.unaligned, AddressSpace.GLOBAL, is_const)
        return tree.Access(pointer, index.add(self.pointers[lane], position))

    def loaded(self, lane: int, position: tree.Expression) -> tree.Expression:
        """The numbers of that vector, as they are computed with."""
        return converted(self.vector(lane, position, is_const=True), self.unaligned, self.context.vector_type)

    def stores(self, lane: int, position: tree.Expression, value: tree.Expression) -> tree.Statement:
        """Numbers that are computed with go to that vector."""
        to = Vector(self.stored, self.context.width)
        return tree.Assign(self.vector(lane, position, is_const=False), converted(value, self.context.vector_type, to))

    def gathered(self, position: tree.Expression) -> tree.Expression:
        """The entry at a position of all elements."""
        to = self.context.scalar_type
        entries = [convert(tree.Subscript(pointer, position), self.stored, to) for pointer in self.pointers]
        return tree.Pack(self.context.vector_type, tuple(entries))


def load_rows(rows: TransposeBlock, position: tree.Expression, transfer: Transfer) -> Iterator[tree.Statement]:
    """Neighbouring entries of all elements, from a position on, transposed in place."""
    yield from rows.loaded([transfer.loaded(lane, position) for lane in range(transfer.context.width)])


def store_rows(
    rows: TransposeBlock, position: tree.Expression, beta: tl.TypedScalar, transfer: Transfer
) -> Iterator[tree.Statement]:
    """Neighbouring entries, transposed in place, go to all elements, with `beta` times what is in memory."""
    every = rows.rows
    yield rows.transposed
    for lane, row in enumerate(every) if not beta.is_number(0) else ():
        old = transfer.loaded(lane, position)
        yield tree.Assign(row, transfer.context.updated(row, beta, old, False))
    for lane, row in enumerate(every):
        yield transfer.stores(lane, position, row)


def store_entry(
    slot: tree.Expression, position: tree.Expression, beta: tl.TypedScalar, transfer: Transfer
) -> Iterator[tree.Statement]:
    """One entry goes to all elements, with `beta` times what is in memory."""
    entry = transfer.name("entry")
    value = transfer.context.updated(slot, beta, transfer.gathered(position), False)
    yield tree.Declare(transfer.context.vector_type, entry.text, value)
    for lane, pointer in enumerate(transfer.pointers):
        kept = entry if transfer.context.width == 1 else tree.Lanes(entry, (lane,))
        yield tree.Assign(
            tree.Subscript(pointer, position), convert(kept, transfer.context.scalar_type, transfer.stored)
        )


def load(runs: Runs, transfer: Transfer, prefetch: LoopPrefetch) -> tree.Statements:
    """Loads and transposes entries; `prefetch` is what else is done for every vector."""
    rows = transfer.block(transfer.name("rows"))

    def vectors(position: tree.Expression) -> Iterator[tree.Statement]:
        yield rows.declared
        yield from load_rows(rows, position, transfer)
        for lane, row in enumerate(rows.rows):
            yield tree.Assign(transfer.slot(position, lane), row)

    def single(position: tree.Expression) -> Iterator[tree.Statement]:
        yield tree.Assign(transfer.slot(position), transfer.gathered(position))

    several = _each(runs.vectors, vectors, "loads", transfer, prefetch)
    return *several, *_each(runs.singles, single, "single_loads", transfer)


def store(runs: Runs, beta: tl.TypedScalar, transfer: Transfer, prefetch: LoopPrefetch) -> tree.Statements:
    """Transposes entries and stores them; `beta` times what is in memory is added to them.

    All elements are read before one is written: several lanes may stand for the same.
    """
    rows = transfer.block(transfer.name("rows"))

    def vectors(position: tree.Expression) -> Iterator[tree.Statement]:
        yield rows.declared
        for lane, row in enumerate(rows.rows):
            yield tree.Assign(row, transfer.slot(position, lane))
        yield from store_rows(rows, position, beta, transfer)

    def single(position: tree.Expression) -> Iterator[tree.Statement]:
        yield from store_entry(transfer.slot(position), position, beta, transfer)

    several = _each(runs.vectors, vectors, "stores", transfer, prefetch)
    return *several, *_each(runs.singles, single, "single_stores", transfer)


def negative_zero(context: LaneContext) -> tree.Expression:
    """Added to a number it changes nothing, not even a sign."""
    return tree.Pack(context.vector_type, (tree.Floating(-0.0, context.scalar_type),))


def clear(idle: Mask, transfer: Transfer) -> tree.Statements:
    """Puts a negative zero where nothing is computed."""

    def one(position: tree.Expression) -> Iterator[tree.Statement]:
        yield tree.Assign(transfer.slot(position), negative_zero(transfer.context))

    return tuple(_each(tuple(int(position) for position in np.flatnonzero(idle)), one, "idle", transfer))


def _each(
    positions: Sequence[int],
    body: Callable[[tree.Expression], Iterator[tree.Statement]],
    hint: str,
    transfer: Transfer,
    prefetch: LoopPrefetch = no_prefetch,
) -> Iterator[tree.Statement]:
    """The body for every position, in a loop if there are several, which does something else as well."""
    if len(positions) == 1:
        yield tree.Block(tuple(body(index.constant(positions[0]))))
    elif positions:
        counter, position = transfer.name("turn"), transfer.name("position")
        value = number_at(counter, positions, f"{transfer.array.name}_{hint}", transfer.context)
        inside = (tree.Declare(Scalar.I32, position.text, value), *prefetch(counter), *body(position))
        stop, over = index.constant(len(positions)), f"entries of {transfer.array.name}"
        yield tree.For(Scalar.I32, counter.text, index.ZERO, stop, index.ONE, inside, over=over)


# -- fused transfer ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fusion:
    """The entries of an argument that an iteration has in the vectors of a small array, `size` from `first` on.

    All positions are those of the first iteration; `step` is what they move by in each. It `is_stored` or loaded;
    `beta` times what is in memory is added to what is stored. Nothing is computed for the positions in `idle`.
    """

    base: str
    first: int
    size: int
    step: int
    runs: Runs
    idle: frozenset[int]
    is_stored: bool
    beta: tl.TypedScalar


@dataclass(frozen=True, slots=True)
class FusedTransfer:
    """A fused transposing load or store, and the memory that it reads or writes."""

    fusion: Fusion
    transfer: Transfer

    def declaration(self) -> tree.DeclareArray:
        """The array of an iteration."""
        context = self.transfer.context
        return tree.DeclareArray(context.vector_type, self.transfer.array.name, self.fusion.size, AddressSpace.PRIVATE)

    def loads(self, counter: tree.Name) -> Iterator[tree.Statement]:
        """Fills the array."""
        for start in self.fusion.runs.vectors:
            yield from load_rows(self._rows(start), self._place(start, counter), self.transfer)
        for position in self.fusion.runs.singles:
            yield tree.Assign(self._slot(position), self.transfer.gathered(self._place(position, counter)))

    def clears(self) -> Iterator[tree.Statement]:
        """Gives the entries for which nothing is computed a value that changes no number."""
        for position in sorted(self.fusion.idle):
            yield tree.Assign(self._slot(position), negative_zero(self.transfer.context))

    def stores(self, counter: tree.Name) -> "Stores":
        """Stores of entries as soon as they are computed."""
        return Stores(self, counter)

    def section(self, verb: str, *statements: tree.Statement) -> tree.Section:
        """The statements under a comment."""
        return tree.Section((f"{verb} %{self.fusion.base}",), statements)

    def store_rows(self, start: int, counter: tree.Name) -> Iterator[tree.Statement]:
        """Stores a vector of each element."""
        return store_rows(self._rows(start), self._place(start, counter), self.fusion.beta, self.transfer)

    def store_entry(self, position: int, counter: tree.Name) -> Iterator[tree.Statement]:
        """Stores an entry of each element."""
        return store_entry(self._slot(position), self._place(position, counter), self.fusion.beta, self.transfer)

    def _rows(self, start: int) -> TransposeBlock:
        return self.transfer.block(tree.Name(self.transfer.array.name), start - self.fusion.first)

    def _slot(self, position: int) -> tree.Place:
        return self.transfer.slot(index.constant(position))

    def _place(self, position: int, counter: tree.Name) -> tree.Expression:
        moved = index.multiply(counter, index.constant(self.fusion.step))
        return index.add(moved, index.constant(position))


class Stores:
    """The vectors and entries of a fused transposing store that still wait for sums."""

    def __init__(self, fused: FusedTransfer, counter: tree.Name) -> None:
        self._fused, self._counter = fused, counter
        width, runs, idle = fused.transfer.context.width, fused.fusion.runs, fused.fusion.idle
        self._vectors = {start: set(range(start, start + width)) - idle for start in runs.vectors}
        self._singles = set(runs.singles)

    def behind(self, position: int) -> Iterator[tree.Statement]:
        """Stores that are possible when the entry at this position is computed."""
        for start, missing in list(self._vectors.items()):
            missing.discard(position)
            if not missing:
                del self._vectors[start]
                statements = self._fused.store_rows(start, self._counter)
                yield self._fused.section("store", *statements)
        if position in self._singles:
            yield self._fused.section("store", tree.Block(tuple(self._fused.store_entry(position, self._counter))))
