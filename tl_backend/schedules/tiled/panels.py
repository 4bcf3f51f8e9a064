"""Panels: copies of a few depths of the rows (or columns) of a tile in local memory, which all its work-items read.

    next[0] = left[…]; …            from global memory into registers, while the panels before are multiplied
    panel[65 * k + i] = next[0]; …  and from there into local memory

Rows that the tile does not have are copies of the last one: what becomes of them is not stored. Depths that there are
not are zeros in both panels.

A panel of complex numbers has a row of them for two depths (`Contraction.turn`), since the second one is the first one
times the imaginary unit: who reads it takes the other parts, and changes the sign of real ones.
"""

from collections.abc import Iterator

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import number
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, RUN, PanelShape
from einsum_front.tl_backend.schedules.tiles.axis import Order, Tensor

TWO = index.constant(2)


@dataclass(frozen=True, slots=True)
class Side:
    """A factor: its pointer, the rows (or columns) of the tile from `first` on, and the shape of its panel."""

    word: str
    pointer: tree.Name
    order: Order
    depths: Order
    tensor: Tensor
    first: tree.Expression
    shape: PanelShape


class Panel:
    """The copy of a side: work-item `item` (of all of the group) copies `block` entries of it."""

    def __init__(self, side: Side, real: Scalar, counter: Scalar, item: tree.Name, names: Names) -> None:
        self.side, self._real, self._counter, self._item = side, real, counter, item
        self.panel, self._next = (tree.Name(names.fresh(f"{word}_{side.word}")) for word in ("panel", "next"))
        own = 1 if side.shape.is_along else side.shape.block
        self._rows = [tree.Name(names.fresh(f"{side.word}_row{number_}")) for number_ in range(own)]
        self._depth = tree.Name(names.fresh(f"{side.word}_depth"))

    def declare(self) -> tree.Statements:
        """The panel, the registers, and the offsets of the rows that this work-item copies, and its first depth."""
        side = self.side
        last = index.constant(side.order.count - 1)
        rows = (index.minimum(index.add(side.first, self._row(step)), last) for step in range(len(self._rows)))
        edge = index.constant(side.shape.edge if side.shape.is_along else ITEMS)
        depth = index.divide(self._item, edge) if side.shape.is_along else index.remainder(self._item, edge)
        alignment = None if side.shape.for_matrices else RUN * size_of(self._real)
        return (
            tree.DeclareArray(self._real, self.panel.text, side.shape.entries, AddressSpace.LOCAL, alignment),
            tree.DeclareArray(self._real, self._next.text, side.shape.copies, AddressSpace.PRIVATE),
            tree.Declare(self._counter, self._depth.text, depth),
            *(
                tree.Declare(self._counter, name.text, side.order.offset(side.tensor, row))
                for name, row in zip(self._rows, rows, strict=True)
            ),
        )

    def fetch(self, start: tree.Expression) -> tree.Statements:
        """The entries of the depths from `start` on, into registers."""
        return tuple(
            tree.Assign(tree.Subscript(self._next, index.constant(step)), self._entry(start, step))
            for step in range(self.side.shape.copies)
        )

    def store(self) -> Iterator[tree.Assign]:
        """The registers into the panel."""
        for step in range(self.side.shape.copies):
            place = self._place(self._at(step), self._row(step))
            yield tree.Assign(tree.Subscript(self.panel, place), tree.Subscript(self._next, index.constant(step)))

    def entry(self, depth: tree.Expression, row: tree.Expression) -> tree.Expression:
        """The entry of a row of the tile, at a depth of the panel; of complex numbers at the first of two."""
        if self.side.shape.is_complex:
            depth = index.divide(depth, TWO)
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
        at = self._at(step)
        depth = index.add(start, index.multiply(TWO, at) if side.shape.is_complex else at)
        row = self._rows[0 if side.shape.is_along else step]
        entry = tree.Subscript(side.pointer, index.add(row, side.depths.offset(side.tensor, depth)))
        if side.depths.count % ITEMS == 0:
            return entry
        exists = tree.Binary(tree.BinaryOperator.LESS, depth, index.constant(side.depths.count))
        return tree.Conditional(exists, entry, number(0, self._real))
