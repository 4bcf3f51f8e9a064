"""Panels: copies of a few depths of the rows (or columns) of a tile in local memory, which all its work-items read.

    next[0] = left[…]; …            from global memory into registers, while the panels before are multiplied
    panel[65 * k + i] = next[0]; …  and from there into local memory

Rows that the tile does not have are copies of the last one: what becomes of them is not stored. Depths that there are
not are zeros in both panels.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import number
from einsum_front.tl_backend.schedules.packed.axis import Order, Tensor
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, panel_entries, panel_strides


@dataclass(frozen=True, slots=True)
class Side:
    """A factor: its pointer, the rows (or columns) of the tile from `first` on, `block` of them for each work-item.

    `is_along`: work-items beside each other copy neighbours of the rows, not of the depths.
    `for_matrices`: a sub-group reads entries of 4 depths and 8 rows at a time.
    """

    word: str
    pointer: tree.Name
    order: Order
    depths: Order
    tensor: Tensor
    first: tree.Expression
    block: int
    is_along: bool
    for_matrices: bool

    @property
    def edge(self) -> int:
        """Rows of the tile."""
        return ITEMS * self.block

    @property
    def strides(self) -> tuple[int, int]:
        """From one row to the next in the panel, and from one depth to the next."""
        return panel_strides(self.edge, is_along=self.is_along, for_matrices=self.for_matrices)

    @property
    def entries(self) -> int:
        """Room for the panel."""
        return panel_entries(self.edge, self.strides)


class Panel:
    """The copy of a side: work-item `item` (of all of the group) copies `block` entries of it."""

    def __init__(self, side: Side, real: Scalar, counter: Scalar, item: tree.Name, names: Names) -> None:
        self.side, self._real, self._counter, self._item = side, real, counter, item
        self.panel, self._next = (tree.Name(names.fresh(f"{word}_{side.word}")) for word in ("panel", "next"))
        own = 1 if side.is_along else side.block
        self._rows = [tree.Name(names.fresh(f"{side.word}_row{number_}")) for number_ in range(own)]
        self._depth = tree.Name(names.fresh(f"{side.word}_depth"))

    def declare(self) -> tree.Statements:
        """The panel, the registers, and the offsets of the rows that this work-item copies, and its first depth."""
        side = self.side
        last = index.constant(side.order.count - 1)
        rows = (index.minimum(index.add(side.first, self._row(step)), last) for step in range(len(self._rows)))
        edge = index.constant(side.edge if side.is_along else ITEMS)
        depth = index.divide(self._item, edge) if side.is_along else index.remainder(self._item, edge)
        return (
            tree.DeclareArray(self._real, self.panel.text, side.entries, AddressSpace.LOCAL),
            tree.DeclareArray(self._real, self._next.text, side.block, AddressSpace.PRIVATE),
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
            for step in range(self.side.block)
        )

    def store(self) -> Iterator[tree.Assign]:
        """The registers into the panel."""
        for step in range(self.side.block):
            place = self._place(self._at(step), self._row(step))
            yield tree.Assign(tree.Subscript(self.panel, place), tree.Subscript(self._next, index.constant(step)))

    def entry(self, depth: tree.Expression, row: tree.Expression) -> tree.Expression:
        """The entry of a row of the tile, at a depth of the panel."""
        return tree.Subscript(self.panel, self._place(depth, row))

    def _place(self, depth: tree.Expression, row: tree.Expression) -> tree.Expression:
        row_stride, depth_stride = map(index.constant, self.side.strides)
        return index.add(index.multiply(depth_stride, depth), index.multiply(row_stride, row))

    def _row(self, step: int) -> tree.Expression:
        """The row of the tile that an entry is of."""
        if self.side.is_along:
            return index.remainder(self._item, index.constant(self.side.edge))
        return index.add(index.divide(self._item, index.constant(ITEMS)), index.constant(ITEMS * step))

    def _at(self, step: int) -> tree.Expression:
        """The depth in the panel that an entry is of."""
        apart = ITEMS // self.side.block if self.side.is_along else 0
        return index.add(self._depth, index.constant(apart * step))

    def _entry(self, start: tree.Expression, step: int) -> tree.Expression:
        side = self.side
        depth = index.add(start, self._at(step))
        row = self._rows[0 if side.is_along else step]
        entry = tree.Subscript(side.pointer, index.add(row, side.depths.offset(side.tensor, depth)))
        if side.depths.count % ITEMS == 0:
            return entry
        exists = tree.Binary(tree.BinaryOperator.LESS, depth, index.constant(side.depths.count))
        return tree.Conditional(exists, entry, number(0, self._real))
