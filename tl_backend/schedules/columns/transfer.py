"""Elements between global and local memory: neighbours copy neighbours, for all elements of the work-group together.

    for (int t = 0; t < 20; ++t) {                      unrolled, so that all loads are on their way at a time
        int x = item + 63 * t;
        own[x / 20 * 21 + x % 20] = I[min(x, last)];    elements that are not there are those before
    }
"""

from collections.abc import Callable, Iterator
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


@dataclass(frozen=True, slots=True)
class Batch:
    """The elements of a work-group: `first` of them, `present` of `together` places; variables of the kernel.

    `item` is the number of the work-item among `items`.
    """

    together: int
    items: int
    item: Expression
    first: Expression
    present: Expression
    memory: Name
    entries: int
    names: Names
    addresses: Addresses

    def element(self, place: Expression) -> Expression:
        """The number of the element at a place; the last one where there is none."""
        if self.together == 1:
            return self.first
        return index.add(self.first, index.minimum(place, index.subtract(self.present, index.ONE)))

    def each(self, count: int, body: Callable[[Name], Statements], *, only_present: bool) -> Statement:
        """A loop of all work-items over the entries of all elements, `count` of each."""
        inner = self.names.inner()
        turn, entry = inner.fresh("t"), Name(inner.fresh("x"))
        total = count * self.together
        number = index.add(self.item, index.multiply(index.constant(self.items), Name(turn)))
        statements = body(entry)
        if only_present and self.together > 1:
            limit = index.multiply(index.constant(count), self.present)
            statements = (If(Binary(BinaryOperator.LESS, entry, limit), statements),)
        elif total % self.items:
            statements = (If(Binary(BinaryOperator.LESS, entry, index.constant(total)), statements),)
        loop = (Declare(Scalar.I32, entry.text, number), *statements)
        turns = -(-total // self.items)
        return For(Scalar.I32, turn, index.ZERO, index.constant(turns), index.ONE, loop, Unroll.FULLY)

    def place(self, entry: Expression, places: Positions) -> Expression:
        """Where an entry of all elements is in local memory."""
        inside = self._inside(entry, places.size)
        own = formula(places, inside, self.addresses)
        return index.add(index.multiply(self._number(entry, places.size), index.constant(self.entries)), own)

    def _number(self, entry: Expression, count: int) -> Expression:
        return index.ZERO if self.together == 1 else index.divide(entry, index.constant(count))

    def _inside(self, entry: Expression, count: int) -> Expression:
        return entry if self.together == 1 else index.remainder(entry, index.constant(count))

    def source(self, value: Value, mode: int | None, entry: Expression, positions: Positions) -> Subscript:
        """The entry in global memory."""
        count = positions.size
        match value:
            case View() as view:
                if mode is None:
                    raise CompilerBug("a batch without a mode for its elements")
                distance = view.strides[mode]
                if isinstance(distance, Integer) and self._is_flat(positions, distance.value):
                    last = index.subtract(index.multiply(index.constant(count), self.present), index.ONE)
                    bounded = entry if self.together == 1 else index.minimum(entry, last)
                    return Subscript(index.add(view.base, index.multiply(self.first, distance)), bounded)
                inside = formula(positions, self._inside(entry, count), self.addresses)
                start = index.multiply(self.element(self._number(entry, count)), distance)
                return Subscript(index.add(view.base, start), inside)
            case Group(addresses=addresses, offset=offset) as group:
                element = self.element(self._number(entry, count))
                inside = formula(positions, self._inside(entry, count), self.addresses)
                start = index.add(Cast(group.pointer, Subscript(addresses, element)), offset)
                return Subscript(start, inside)
            case _:
                raise CompilerBug("an argument that is one for each element is a scalar")

    def _is_flat(self, positions: Positions, distance: int) -> bool:
        return distance == positions.size and np.array_equal(positions, np.arange(positions.size))


def copied_in(batch: Batch, value: Value, mode: int | None, positions: Positions, layout: Layout) -> Statement:
    """Entries of an argument to local memory."""

    def body(entry: Name) -> Statements:
        target = Subscript(batch.memory, batch.place(entry, layout.places(positions)))
        return (Assign(target, batch.source(value, mode, entry, positions)),)

    return batch.each(positions.size, body, only_present=False)


def cleared(batch: Batch, zero: Expression, positions: Positions, layout: Layout) -> Statement:
    """Zeros in local memory."""

    def body(entry: Name) -> Statements:
        return (Assign(Subscript(batch.memory, batch.place(entry, layout.places(positions))), zero),)

    return batch.each(positions.size, body, only_present=False)


def copied_out(
    batch: Batch, value: Value, mode: int | None, positions: Positions, layout: Layout, *, is_added: bool
) -> Statement:
    """Entries in local memory to an argument, or added to it."""

    def body(entry: Name) -> Statements:
        source = Subscript(batch.memory, batch.place(entry, layout.places(positions)))
        operator = BinaryOperator.ADD if is_added else None
        return (Assign(batch.source(value, mode, entry, positions), source, operator),)

    return batch.each(positions.size, body, only_present=True)


def address_of_element(value: Value, mode: int | None, element: Expression) -> Expression:
    """Where the memory of an element begins."""
    match value:
        case View() as view if mode is not None:
            return index.add(view.base, index.multiply(element, view.strides[mode]))
        case Group(addresses=addresses, offset=offset) as group:
            return index.add(Cast(group.pointer, Subscript(addresses, element)), offset)
        case _:
            raise CompilerBug("an argument that is one for each element is a scalar")


def flattened(statements: Iterator[Statements]) -> Statements:
    """All of them in one list."""
    return tuple(each for some in statements for each in some)
