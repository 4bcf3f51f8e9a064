"""Panels: copies of a few depths of the rows (or columns) of a tile in local memory, which all its work-items read.

    next[0] = left[…]; …            from global memory into registers, while the panels before are multiplied
    panel[65 * k + i] = next[0]; …  and from there into local memory

Rows that the tile does not have are copies of the last one: what becomes of them is not stored. Depths that there are
not are zeros in both panels.

Of complex numbers, odd depths have the imaginary unit times the rows (`Contraction.turn`): a work-item copies either
odd depths or even ones, and either real or imaginary parts. So its sign, and which part it takes, are known at first.
"""

from collections.abc import Iterator
from typing import Literal

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import number
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, PanelShape
from einsum_front.tl_backend.schedules.tiles.axis import Order, Tensor


TWO = index.constant(2)


@dataclass(frozen=True, slots=True)
class Side:
    """A factor: its pointer, the rows (or columns) of the tile from `first` on, and the shape of its panel.

    `turn` is that of the contraction, 0 for its right factor.
    """

    word: str
    pointer: tree.Name
    order: Order
    depths: Order
    tensor: Tensor
    first: tree.Expression
    shape: PanelShape
    turn: Literal[-1, 0, 1] = 0


class Panel:
    """The copy of a side: work-item `item` (of all of the group) copies `block` entries of it."""

    def __init__(self, side: Side, real: Scalar, counter: Scalar, item: tree.Name, names: Names) -> None:
        self.side, self._real, self._counter, self._item = side, real, counter, item
        self.panel, self._next = (tree.Name(names.fresh(f"{word}_{side.word}")) for word in ("panel", "next"))
        own = 1 if side.shape.is_along else side.shape.block
        self._rows = [tree.Name(names.fresh(f"{side.word}_row{number_}")) for number_ in range(own)]
        self._depth = tree.Name(names.fresh(f"{side.word}_depth"))
        self._sign = tree.Name(names.fresh("turn")) if side.turn else None

    def declare(self) -> tree.Statements:
        """The panel, the registers, and the offsets of the rows that this work-item copies, and its first depth."""
        side = self.side
        last = index.constant(side.order.count - 1)
        rows = [index.minimum(index.add(side.first, self._row(step)), last) for step in range(len(self._rows))]
        edge = index.constant(side.shape.edge if side.shape.is_along else ITEMS)
        depth = index.divide(self._item, edge) if side.shape.is_along else index.remainder(self._item, edge)
        return (
            tree.DeclareArray(self._real, self.panel.text, side.shape.entries, AddressSpace.LOCAL),
            tree.DeclareArray(self._real, self._next.text, side.shape.block, AddressSpace.PRIVATE),
            tree.Declare(self._counter, self._depth.text, depth),
            *(
                tree.Declare(self._counter, name.text, index.add(side.order.offset(side.tensor, row), self._swap(row)))
                for name, row in zip(self._rows, rows, strict=True)
            ),
            *self._declare_sign(rows[0]),
        )

    def _swap(self, row: tree.Expression) -> tree.Expression:
        """The distance to the entry that is taken in place of a row at the depths of this work-item."""
        if not self.side.turn:
            return index.ZERO
        other = index.subtract(index.ONE, index.multiply(TWO, index.remainder(row, TWO)))
        return index.multiply(index.remainder(self._depth, TWO), other)

    def _declare_sign(self, row: tree.Expression) -> Iterator[tree.Statement]:
        """The sign of all that this work-item copies: `turn` times -1 for real parts at odd depths, 1 at even depths."""
        if self._sign is None:
            return
        signs = (number(sign * self.side.turn, self._real) for sign in (-1, 1))
        is_real, is_even = (
            tree.Binary(tree.BinaryOperator.EQUAL, index.remainder(each, TWO), index.ZERO) for each in (row, self._depth)
        )
        turned = tree.Conditional(is_real, *signs)
        yield tree.Declare(self._real, self._sign.text, tree.Conditional(is_even, number(1, self._real), turned))

    def fetch(self, start: tree.Expression) -> tree.Statements:
        """The entries of the depths from `start` on, into registers."""
        return tuple(
            tree.Assign(tree.Subscript(self._next, index.constant(step)), self._entry(start, step))
            for step in range(self.side.shape.block)
        )

    def store(self) -> Iterator[tree.Assign]:
        """The registers into the panel."""
        for step in range(self.side.shape.block):
            place = self._place(self._at(step), self._row(step))
            entry: tree.Expression = tree.Subscript(self._next, index.constant(step))
            if self._sign is not None:
                entry = tree.Binary(tree.BinaryOperator.MULTIPLY, self._sign, entry)
            yield tree.Assign(tree.Subscript(self.panel, place), entry)

    def entry(self, depth: tree.Expression, row: tree.Expression) -> tree.Expression:
        """The entry of a row of the tile, at a depth of the panel."""
        return tree.Subscript(self.panel, self._place(depth, row))

    def _place(self, depth: tree.Expression, row: tree.Expression) -> tree.Expression:
        row_stride, depth_stride = map(index.constant, self.side.shape.strides)
        return index.add(index.multiply(depth_stride, depth), index.multiply(row_stride, row))

    def _row(self, step: int) -> tree.Expression:
        """The row of the tile that an entry is of."""
        if self.side.shape.is_along:
            return index.remainder(self._item, index.constant(self.side.shape.edge))
        return index.add(index.divide(self._item, index.constant(ITEMS)), index.constant(ITEMS * step))

    def _at(self, step: int) -> tree.Expression:
        """The depth in the panel that an entry is of."""
        apart = ITEMS // self.side.shape.block if self.side.shape.is_along else 0
        return index.add(self._depth, index.constant(apart * step))

    def _entry(self, start: tree.Expression, step: int) -> tree.Expression:
        side = self.side
        depth = index.add(start, self._at(step))
        row = self._rows[0 if side.shape.is_along else step]
        entry = tree.Subscript(side.pointer, index.add(row, side.depths.offset(side.tensor, depth)))
        if side.depths.count % ITEMS == 0:
            return entry
        exists = tree.Binary(tree.BinaryOperator.LESS, depth, index.constant(side.depths.count))
        return tree.Conditional(exists, entry, number(0, self._real))
