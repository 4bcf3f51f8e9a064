"""Elements between global and local memory: neighbours copy neighbours, for all elements of the work-group together.

    int column = item / 20;                             columns of 20 entries, 21 apart in local memory
    int there = item, here = item + column;             three columns at a time: 60 of 63 work-items
    for (int t = 0; t < 21; ++t)                        unrolled, so that loads are on their way together
        memory[here + 63 * t] = I_first[there + 60 * t];

The last work-group, which may have fewer elements, has a loop of its own: what is not there is the last one that is.
"""

from collections.abc import Callable

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import Value, View
from einsum_front.tl_backend.opencl.scalar import convert
from einsum_front.tl_backend.schedules.columns.addresses import Addresses, formula
from einsum_front.tl_backend.schedules.columns.memory import Layout
from einsum_front.tl_backend.schedules.lowering.context import element_address
from einsum_front.tl_backend.schedules.positions.product import Positions

MOST_UNROLLED = 28
"""Turns of a copy that are written out: each has a number on its way, and a register for it."""

Update = Callable[[tree.Place, tree.Place], tree.Statements]
"""The statements for an entry in local and in global memory."""


@dataclass(frozen=True, slots=True)
class Argument:
    """An argument of an element: `mode` counts the elements, None in a group and where all have the same.

    In memory its numbers are of the type `stored`. The memory of what stages hand on begins with that of the element
    `origin`.
    """

    value: Value
    mode: int | None
    stored: Scalar
    origin: tree.Expression | None = None

    def address(self, element: tree.Expression) -> tree.Expression:
        """Where the memory of an element begins."""
        if self.origin is not None:
            element = index.ZERO if element == self.origin else index.subtract(element, self.origin)
        if isinstance(self.value, View) and self.mode is None:
            return self.value.base
        return element_address(self.value, self.mode, element)

    @property
    def distance(self) -> int | None:
        """Entries from one element to the next, if that is known."""
        if not isinstance(self.value, View) or self.mode is None:
            return None
        stride = self.value.strides[self.mode]
        return stride.value if isinstance(stride, tree.Integer) else None


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns: `height` of each `pitch` entries from `start` on, in local memory of each `distance` from `own` on."""

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
    item: tree.Expression
    first: tree.Expression
    present: tree.Expression
    memory: tree.Name
    names: Names
    addresses: Addresses

    def element(self, place: tree.Expression) -> tree.Expression:
        """The number of the element at a place; the last one where there is none."""
        if self.together == 1:
            return self.first
        return index.add(self.first, index.minimum(place, index.subtract(self.present, index.ONE)))

    def copies(
        self, argument: Argument | None, positions: Positions, layout: Layout, update: Update, *, is_complete: bool
    ) -> tree.Statement:
        """`update` for all entries at these positions; in local memory of all places only if it `is_complete`."""
        inner = self.names.inner()
        entry = tree.Name(inner.fresh("entry"))
        columns = None if argument is None else _columns(argument, positions, layout, self.together)
        if argument is None or columns is None:
            whole = self._anywhere(entry, argument, positions, layout, update, inner)
        else:
            whole = self._in_columns(columns, positions.size, argument.address(self.first), update, inner)
        if self.together == 1 or argument is None:
            return tree.Block(whole)
        count = index.constant(positions.size)
        stop = index.multiply(count, index.constant(self.together) if is_complete else self.present)
        slow = self._slow(entry, argument, positions, layout, update)
        rest = tree.For(Scalar.I32, entry.text, self.item, stop, index.constant(self.items), slow, tree.Unroll.NEVER)
        is_full = tree.Binary(tree.BinaryOperator.EQUAL, self.present, index.constant(self.together))
        return tree.If(is_full, whole, (rest,))

    def _anywhere(
        self,
        entry: tree.Name,
        argument: Argument | None,
        positions: Positions,
        layout: Layout,
        update: Update,
        names: Names,
    ) -> tree.Statements:
        """Entry after entry, each with the number of its element."""
        total = positions.size * self.together
        turn = names.fresh("turn")
        number = index.add(self.item, index.multiply(index.constant(self.items), tree.Name(turn)))
        body = self._slow(entry, argument, positions, layout, update, is_full=True)
        if total % self.items:
            body = (tree.If(less(entry, total), body),)
        turns = index.constant(-(-total // self.items))
        inside = tree.Declare(Scalar.I32, entry.text, number), *body
        return (tree.For(Scalar.I32, turn, index.ZERO, turns, index.ONE, inside, tree.Unroll.FULLY),)

    def _in_columns(
        self, columns: _Columns, count: int, base: tree.Expression, update: Update, names: Names
    ) -> tree.Statements:
        """As many columns at a time as there are work-items for, so that addresses are constants behind the first."""
        total, height = count * self.together, columns.height
        is_flat = columns.pitch == columns.distance == height
        together = total // height if is_flat else max(1, self.items // height)
        if is_flat or height > self.items:
            return self._in_runs(columns, total, base, update, names)
        column = tree.Name(names.fresh("column"))
        there, here = tree.Name(names.fresh("there")), tree.Name(names.fresh("here"))
        declared = (
            tree.Declare(Scalar.I32, column.text, index.divide(self.item, index.constant(height))),
            *(
                tree.Declare(Scalar.I32, name.text, _at(self.item, distance - height, column, start))
                for name, distance, start in (
                    (there, columns.pitch, columns.start),
                    (here, columns.distance, columns.own),
                )
            ),
        )

        def turned(number: tree.Expression) -> tree.Statements:
            moved = (
                index.add(name, index.multiply(index.constant(together * distance), number))
                for name, distance in ((there, columns.pitch), (here, columns.distance))
            )
            source, own = moved
            return update(tree.Subscript(self.memory, own), tree.Subscript(base, source))

        whole, rest = divmod(total // height, together)
        loop = written_out(turned, whole, names)
        if together * height < self.items:
            loop = (tree.If(less(self.item, together * height), loop),)
        last = (tree.If(less(self.item, rest * height), turned(index.constant(whole))),) if rest else ()
        return *declared, *loop, *last

    def _in_runs(
        self, columns: _Columns, total: int, base: tree.Expression, update: Update, names: Names
    ) -> tree.Statements:
        """Columns that are longer than the work-items are many: entry after entry."""
        entry = tree.Name(names.fresh("x"))
        column = tree.Name(names.fresh("column"))
        is_flat = columns.pitch == columns.distance == columns.height

        def turned(number: tree.Expression) -> tree.Statements:
            declared = [
                tree.Declare(
                    Scalar.I32, entry.text, index.add(self.item, index.multiply(index.constant(self.items), number))
                )
            ]
            if not is_flat:
                declared.append(
                    tree.Declare(Scalar.I32, column.text, index.divide(entry, index.constant(columns.height)))
                )
            source, own = (
                _at(entry, distance - columns.height, column, start)
                for distance, start in ((columns.pitch, columns.start), (columns.distance, columns.own))
            )
            return *declared, *update(tree.Subscript(self.memory, own), tree.Subscript(base, source))

        whole, rest = divmod(total, self.items)
        last = (tree.If(less(self.item, rest), turned(index.constant(whole))),) if rest else ()
        return *written_out(turned, whole, names), *last

    def _slow(
        self,
        entry: tree.Name,
        argument: Argument | None,
        positions: Positions,
        layout: Layout,
        update: Update,
        *,
        is_full: bool = False,
    ) -> tree.Statements:
        """Each entry with the number of its element."""
        count = positions.size
        alone = self.together == 1
        place = index.ZERO if alone else index.divide(entry, index.constant(count))
        inside = entry if alone else index.remainder(entry, index.constant(count))
        own = formula(layout.places(positions), inside, self.addresses)
        start = index.add(
            index.multiply(index.constant(layout.size), place), index.constant(layout.start * self.together)
        )
        target = tree.Subscript(self.memory, index.add(start, own))
        if argument is None:
            return update(target, target)
        element = index.add(self.first, place) if is_full else self.element(place)
        return update(target, tree.Subscript(argument.address(element), formula(positions, inside, self.addresses)))


def less(number: tree.Expression, limit: int) -> tree.Expression:
    """True below the limit."""
    return tree.Binary(tree.BinaryOperator.LESS, number, index.constant(limit))


def _at(entry: tree.Expression, gap: int, column: tree.Name, start: int) -> tree.Expression:
    """The place of an entry in columns with gaps between them."""
    return index.total((entry, index.multiply(index.constant(gap), column), index.constant(start)))


def written_out(body: Callable[[tree.Expression], tree.Statements], turns: int, names: Names) -> tree.Statements:
    """The body for all turns, written out as far as registers hold what is on its way."""
    if turns == 0:
        return ()
    parts = -(-turns // MOST_UNROLLED)
    each, rest = divmod(turns, parts)
    turn, part = tree.Name(names.fresh("turn")), tree.Name(names.fresh("part"))
    number: tree.Expression = turn
    if parts > 1:
        number = index.add(turn, index.multiply(index.constant(each), part))
    stop = index.constant(each)
    loop: tree.Statement = tree.For(Scalar.I32, turn.text, index.ZERO, stop, index.ONE, body(number), tree.Unroll.FULLY)
    if parts > 1:
        loop = tree.For(Scalar.I32, part.text, index.ZERO, index.constant(parts), index.ONE, (loop,), tree.Unroll.NEVER)
    last = (tree.Block(body(index.constant(turns - 1 - left))) for left in range(rest))
    return loop, *last


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


def copied_in(batch: Batch, argument: Argument, positions: Positions, layout: Layout, type_: Scalar) -> tree.Statement:
    """Entries of an argument to local memory, where numbers are of a type."""

    def update(own: tree.Place, source: tree.Place) -> tree.Statements:
        return (tree.Assign(own, convert(source, argument.stored, type_)),)

    return batch.copies(argument, positions, layout, update, is_complete=True)


def cleared(batch: Batch, zero: tree.Expression, positions: Positions, layout: Layout) -> tree.Statement:
    """Zeros in local memory."""
    return batch.copies(None, positions, layout, lambda own, _: (tree.Assign(own, zero),), is_complete=True)


def copied_out(
    batch: Batch, argument: Argument, positions: Positions, layout: Layout, type_: Scalar, *, is_added: bool
) -> tree.Statement:
    """Entries in local memory to an argument, or added to it."""

    def update(own: tree.Place, target: tree.Place) -> tree.Statements:
        return (written(target, own, (type_, argument.stored), is_added=is_added),)

    return batch.copies(argument, positions, layout, update, is_complete=False)


def written(
    target: tree.Place, value: tree.Expression, types: tuple[Scalar, Scalar], *, is_added: bool
) -> tree.Statement:
    """A number goes to memory, or is added there: `types` are its own and that of the memory. It is rounded once."""
    computed, stored = types
    if not is_added:
        return tree.Assign(target, convert(value, computed, stored))
    if computed is stored:
        return tree.Assign(target, value, tree.BinaryOperator.ADD)
    total = tree.Binary(tree.BinaryOperator.ADD, convert(target, stored, computed), value)
    return tree.Assign(target, convert(total, computed, stored))
