"""Addresses that differ from lane to lane: pointers that a work-item computes once, and constant distances behind them.

    local double *at = own_memory + 21 * lane;      the first entry of the line
    at[5]                                           the sixth

What is no multiple of the number of the lane, nor of its place in rows of lanes, stands in a table.
"""

from dataclasses import field

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.positions.places import UnsuitableError
from einsum_front.tl_backend.schedules.positions.product import Positions

MOST_TABLES = 64
"""Tables of a kernel: each is read once by every work-item."""


@dataclass(slots=True)
class Addresses:
    """The pointers and tables of a kernel, which grow while it is lowered.

    An element has `lanes` work-items; `item` is the number of the work-item in its group, `place` that of its element,
    None if there is one.
    """

    names: Names
    lane: tree.Expression
    lanes: int
    item: tree.Expression
    place: tree.Expression | None
    declarations: list[tree.Statement] = field(default_factory=list)
    tables: list[tree.Table] = field(default_factory=list)
    _numbers: dict[bytes, tree.Expression] = field(default_factory=dict)
    _pointers: dict[tuple[str, bytes], tree.Name] = field(default_factory=dict)

    def entry(self, base: tree.Name, pointer: Pointer, positions: Positions) -> tree.Subscript:
        """The entry of memory behind `base` that each lane has at its position."""
        first = int(positions[0])
        distances = positions - first
        if not distances.any():
            return tree.Subscript(base, index.constant(first))
        return tree.Subscript(self._pointer(base, pointer, distances), index.constant(first))

    def local(self, memory: tree.Name, type_: Scalar, start: int, size: int, places: Positions) -> tree.Subscript:
        """The entry of local memory that each lane has; elements are `size` entries apart, from `start` on."""
        first, distances = int(places[0]), places - int(places[0])
        key = f"{memory.text} {size}", np.ascontiguousarray(distances, np.int64).tobytes()
        if key not in self._pointers:
            step = int(distances[1]) if distances.size > 1 else 0
            is_linear = bool((distances == step * np.arange(distances.size)).all())
            if self.place is None:
                number = self.number(distances) if distances.any() else index.ZERO
            elif is_linear and step and step * self.lanes == size:
                number = index.multiply(index.constant(step), self.item)
            else:
                own = self.number(distances) if distances.any() else index.ZERO
                number = index.add(index.multiply(index.constant(size), self.place), own)
            name = self.names.fresh("at")
            self.declarations.append(tree.Declare(Pointer(type_, AddressSpace.LOCAL), name, index.add(memory, number)))
            self._pointers[key] = tree.Name(name)
        return tree.Subscript(self._pointers[key], index.constant(start + first))

    def number(self, values: Positions) -> tree.Expression:
        """A number for each lane; lanes behind those that are given have any."""
        key = np.ascontiguousarray(values, np.int64).tobytes()
        if key not in self._numbers:
            self._numbers[key] = closed(values, self.lane) or self._looked_up(values)
        return self._numbers[key]

    def _pointer(self, base: tree.Name, pointer: Pointer, distances: Positions) -> tree.Name:
        key = base.text, np.ascontiguousarray(distances, np.int64).tobytes()
        if key not in self._pointers:
            number = self.number(distances)
            name = self.names.fresh("at")
            self.declarations.append(tree.Declare(pointer, name, index.add(base, number)))
            self._pointers[key] = tree.Name(name)
        return self._pointers[key]

    def _looked_up(self, values: Positions) -> tree.Expression:
        if len(self.tables) == MOST_TABLES:
            raise UnsuitableError(f"work-items need more than {MOST_TABLES} tables of places")
        name = self.names.fresh("places")
        padded = np.concatenate([values, np.full(self.lanes - values.size, values[0])])
        self.tables.append(tree.Table(Scalar.I32, name, tuple(padded.tolist())))
        number = self.names.fresh("place_of")
        self.declarations.append(tree.Declare(Scalar.I32, number, tree.Subscript(tree.Name(name), self.lane)))
        return tree.Name(number)

    def table(self, values: Positions, number: tree.Expression) -> tree.Expression:
        """One of some values, by its number."""
        name = self.names.fresh("places")
        self.tables.append(tree.Table(Scalar.I32, name, tuple(values.tolist())))
        return tree.Subscript(tree.Name(name), number)


def formula(values: Positions, number: tree.Expression, addresses: Addresses) -> tree.Expression:
    """One of some values, by its number: computed if they have a formula, else looked up."""
    return closed(values, number) or addresses.table(values, number)


def closed(values: Positions, number: tree.Expression) -> tree.Expression | None:
    """A formula: `s n + c`, or `s (n % w) + t (n / w) + c`."""
    size, lanes = values.size, np.arange(values.size)
    jumps = np.flatnonzero(np.diff(np.diff(values)) != 0)
    first = int(jumps[0]) + 2 if jumps.size else size
    for row in dict.fromkeys((size, first, first - 1)):
        if not 0 < row <= size:
            continue
        step = int(values[1] - values[0]) if row > 1 and size > 1 else 0
        jump = int(values[row] - values[0]) if row < size else 0
        if (values == values[0] + step * (lanes % row) + jump * (lanes // row)).all():
            return _linear(int(values[0]), step, jump, number, row if row < size else None)
    return None


def _linear(first: int, step: int, jump: int, number: tree.Expression, row: int | None) -> tree.Expression:
    if row is None:
        return index.add(index.multiply(index.constant(step), number), index.constant(first))
    width = index.constant(row)
    inner = index.multiply(index.constant(step), index.remainder(number, width))
    outer = index.multiply(index.constant(jump), index.divide(number, width))
    return index.total((outer, inner, index.constant(first)))
