"""Elements between global and local memory: neighbours copy neighbours, for all elements of the work-group together.

    for (int t = 0; t < 20; ++t) {                      unrolled, so that all loads are on their way at a time
        int x = item + 63 * t;
        memory[x + x / 20] = I_first[x];                columns of 20 entries, 21 apart in local memory
    }

The last work-group, which may have fewer elements, has a loop of its own: what is not there is the last one that is.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel.tree import (
    Assign,
    Binary,
    BinaryOperator,
    Cast,
    Declare,
    Expression,
    For,
    If,
    Integer,
    Name,
    Place,
    Statement,
    Statements,
    Subscript,
    Unroll,
)
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.view import Group, Value, View
from einsum_front.tl_backend.schedules.columns.addresses import Addresses, formula
from einsum_front.tl_backend.schedules.columns.memory import Layout
from einsum_front.tl_backend.schedules.columns.steps import Positions

MOST_UNROLLED = 64
"""Turns of a copy that are written out: each has a number on its way, and a register for it."""

Update = Callable[[Place, Place], Statements]
"""The statements for an entry in local and in global memory."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument that is one for each element: `mode` counts them, None in a group."""

    value: Value
    mode: int | None

    def address(self, element: Expression) -> Expression:
        """Where the memory of an element begins."""
        match self.value:
            case View() as view if self.mode is not None:
                return index.add(view.base, index.multiply(element, view.strides[self.mode]))
            case Group(addresses=addresses, offset=offset) as group:
                return index.add(Cast(group.pointer, Subscript(addresses, element)), offset)
            case _:
                raise CompilerBug("an argument that is one for each element is a scalar")

    @property
    def distance(self) -> int | None:
        """Entries from one element to the next, if that is known."""
        if not isinstance(self.value, View) or self.mode is None:
            return None
        stride = self.value.strides[self.mode]
        return stride.value if isinstance(stride, Integer) else None


@dataclass(frozen=True, slots=True)
class _Columns:
    """Entries in columns: `height` of each `pitch` entries from `start` on, in local memory each `distance` from `own`."""

    height: int
    pitch: int
    start: int
    distance: int
    own: int


@dataclass(frozen=True, slots=True)
class Batch:
    """The elements of a work-group: `present` of `together` from `first` on; variables of the kernel.

    `item` is the number of the work-item among `items`, and `memory` all of local memory.
    """

    together: int
    items: int
    item: Expression
    first: Expression
    present: Expression
    memory: Name
    names: Names
    addresses: Addresses

    def element(self, place: Expression) -> Expression:
        """The number of the element at a place; the last one where there is none."""
        if self.together == 1:
            return self.first
        return index.add(self.first, index.minimum(place, index.subtract(self.present, index.ONE)))

    def copies(
        self, argument: Argument | None, positions: Positions, layout: Layout, update: Update, *, is_complete: bool
    ) -> Statement:
        """`update` for all entries at these positions; in local memory of all places only if it `is_complete`."""
        inner = self.names.inner()
        entry = Name(inner.fresh("x"))
        total = positions.size * self.together
        columns = None if argument is None else _columns(argument, positions, layout, self.together)
        fast = self._fast(entry, argument, positions, layout, update, columns, inner)
        whole = self._unrolled(entry, fast, total, inner)
        if self.together == 1 or argument is None:
            return whole
        stop = index.constant(total) if is_complete else index.multiply(index.constant(positions.size), self.present)
        slow = self._slow(entry, argument, positions, layout, update)
        rest = For(Scalar.I32, entry.text, self.item, stop, index.constant(self.items), slow, Unroll.NEVER)
        is_full = Binary(BinaryOperator.EQUAL, self.present, index.constant(self.together))
        return If(is_full, (whole,), (rest,))

    def _unrolled(self, entry: Name, body: Statements, total: int, names: Names) -> Statement:
        """The body for all entries, in loops that are written out as far as registers hold what is on its way."""
        turn, part = names.fresh("t"), names.fresh("part")
        turns = -(-total // self.items)
        parts = -(-turns // MOST_UNROLLED)
        each = -(-turns // parts)
        passed = Name(turn) if parts == 1 else index.add(Name(turn), index.multiply(index.constant(each), Name(part)))
        number = index.add(self.item, index.multiply(index.constant(self.items), passed))
        if parts * each * self.items > total:
            body = (If(Binary(BinaryOperator.LESS, entry, index.constant(total)), body),)
        inside = Declare(Scalar.I32, entry.text, number), *body
        loop = For(Scalar.I32, turn, index.ZERO, index.constant(each), index.ONE, inside, Unroll.FULLY)
        if parts == 1:
            return loop
        return For(Scalar.I32, part, index.ZERO, index.constant(parts), index.ONE, (loop,), Unroll.NEVER)

    def _fast(
        self,
        entry: Name,
        argument: Argument | None,
        positions: Positions,
        layout: Layout,
        update: Update,
        columns: _Columns | None,
        names: Names,
    ) -> Statements:
        """All elements are there."""
        if columns is None or argument is None:
            return self._slow(entry, argument, positions, layout, update, is_full=True)
        column = Name(names.fresh("column"))
        moved = tuple(each - columns.height for each in (columns.pitch, columns.distance))
        there, here = (
            index.total((entry, index.multiply(index.constant(each), column), index.constant(start)))
            for each, start in zip(moved, (columns.start, columns.own), strict=True)
        )
        source = Subscript(argument.address(self.first), there)
        statements = update(Subscript(self.memory, here), source)
        if not any(moved):
            return statements
        number = index.divide(entry, index.constant(columns.height))
        return Declare(Scalar.I32, column.text, number), *statements

    def _slow(
        self,
        entry: Name,
        argument: Argument | None,
        positions: Positions,
        layout: Layout,
        update: Update,
        *,
        is_full: bool = False,
    ) -> Statements:
        """Each entry with the number of its element."""
        count = positions.size
        alone = self.together == 1
        place = index.ZERO if alone else index.divide(entry, index.constant(count))
        inside = entry if alone else index.remainder(entry, index.constant(count))
        own = formula(layout.places(positions), inside, self.addresses)
        start = index.add(index.multiply(index.constant(layout.size), place), index.constant(layout.start * self.together))
        target = Subscript(self.memory, index.add(start, own))
        if argument is None:
            return update(target, target)
        element = index.add(self.first, place) if is_full else self.element(place)
        return update(target, Subscript(argument.address(element), formula(positions, inside, self.addresses)))


def _columns(argument: Argument, positions: Positions, layout: Layout, together: int) -> _Columns | None:
    """The columns that entries stand in, if those of the next element go on at the same distance."""
    runs = np.flatnonzero(np.diff(positions) != 1)
    height = int(runs[0]) + 1 if runs.size else layout.pitch if positions.size % layout.pitch == 0 else positions.size
    if positions.size % height:
        return None
    columns = positions.reshape(-1, height)
    count, start = columns.shape[0], int(positions[0])
    pitch = argument.distance if count == 1 else int(columns[1, 0] - columns[0, 0])
    own = layout.places(positions).reshape(-1, height)
    distance = layout.size if count == 1 else int(own[1, 0] - own[0, 0])
    if together == 1:
        pitch = pitch or height
    rows, inside = np.arange(count)[:, None], np.arange(height)[None, :]
    if pitch is None or not (columns == start + pitch * rows + inside).all():
        return None
    if not (own == own[0, 0] + distance * rows + inside).all():
        return None
    if together > 1 and (argument.distance != pitch * count or layout.size != distance * count):
        return None
    return _Columns(height, pitch, start, distance, int(own[0, 0]) + layout.start * together)


def copied_in(batch: Batch, argument: Argument, positions: Positions, layout: Layout) -> Statement:
    """Entries of an argument to local memory."""
    return batch.copies(
        argument, positions, layout, lambda own, source: (Assign(own, source),), is_complete=True
    )


def cleared(batch: Batch, zero: Expression, positions: Positions, layout: Layout) -> Statement:
    """Zeros in local memory."""
    return batch.copies(None, positions, layout, lambda own, _: (Assign(own, zero),), is_complete=True)


def copied_out(
    batch: Batch, argument: Argument, positions: Positions, layout: Layout, *, is_added: bool
) -> Statement:
    """Entries in local memory to an argument, or added to it."""
    operator = BinaryOperator.ADD if is_added else None
    return batch.copies(
        argument, positions, layout, lambda own, target: (Assign(target, own, operator),), is_complete=False
    )
