"""A copy of the rows of a block, for left factors whose rows are no neighbours in memory: there they are.

double panel[768];
for (int k = 0; k < 64; k += 4) {
    double4 lines[4];
    lines[0] = *(global const double4_u *)(A + (k + 64 * i));        four depths of a row
    …
    transpose(lines);
    *(double4_u *)(panel + 12 * k) = lines[0];                        four rows at a depth
    …
}

Where fewer depths are left than a vector has, it starts so much earlier, and copies some again.
"""

from collections.abc import Iterator, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.analysis.product_form import Factor
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.lowering.product import ViewFactor
from einsum_front.tl_backend.schedules.lowering.transpose_block import TransposeBlock
from einsum_front.tl_backend.schedules.lowering.vectors import neighbours
from einsum_front.tl_backend.schedules.work_group.blocks import NOT_SHARED, MakeBlock, Stretch, loop_over
from einsum_front.tl_backend.schedules.work_group.tile import Frame
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True)
class Panel:
    """The copy, as a factor whose first row is 0, and the statements that make it."""

    factor: ViewFactor
    statements: tree.Statements


def make_panel(left: ViewFactor, rows: Sequence[tree.Expression], depth: int, vector: Vector, frame: Frame) -> Panel:
    """The copy of one vector of rows after the other, which start at these `rows`, at all depths."""
    context = frame.context
    names = context.inner().names
    name, lines = names.fresh("panel"), tree.Name(names.fresh("lines"))
    block = TransposeBlock(lines, vector, context.transpose(vector))
    size = len(rows) * vector.width
    pointer = Pointer(vector.element, AddressSpace.PRIVATE)
    shape, strides = (index.constant(size), index.constant(depth)), (index.ONE, index.constant(size))
    factor = Factor(View(left.view.element, tree.Name(name), pointer, shape, strides), (Axis.M, Axis.K))
    array = tree.DeclareArray(vector.element, name, size * depth, AddressSpace.PRIVATE, context.target.vector_bytes)
    copy = _Copy(left, factor, rows, depth, block, frame)
    return Panel(factor, (array, *copy.statements()))


@dataclass(frozen=True, slots=True)
class _Copy:
    """Copy into a panel by way of a block in registers."""

    left: ViewFactor
    panel: ViewFactor
    rows: Sequence[tree.Expression]
    depth: int
    block: TransposeBlock
    frame: Frame

    def statements(self) -> Iterator[tree.Statement]:
        """By squares where depths are neighbours, otherwise by entries."""
        width = self.block.vector.width
        stride = self.left.view.strides[self.left.axes.index(Axis.K)]
        if stride != index.ONE or self.depth < width:
            yield self._over(0, self.depth, 1, self._entries)
            return
        rest = self.depth % width
        yield self._over(0, self.depth - rest, width, self._squares)
        if rest:
            yield self._over(self.depth - width, self.depth, width, self._squares)

    def _over(self, start: int, stop: int, size: int, block: MakeBlock) -> tree.Statement:
        part = Stretch(index.constant(start), index.constant(stop), size)
        return loop_over(Axis.K, part, NOT_SHARED, self.frame, block)

    def _entries(self, depth: tree.Expression, _: int) -> tree.Statements:
        """All rows at a depth, one by one."""
        width = self.block.vector.width
        return tuple(
            tree.Assign(
                self._at(self.panel, index.constant(width * number + lane), depth, 1),
                self._at(self.left, index.add(row, index.constant(lane)), depth, 1),
            )
            for number, row in enumerate(self.rows)
            for lane in range(width)
        )

    def _squares(self, depth: tree.Expression, _: int) -> tree.Statements:
        """All rows at as many depths as a vector has entries: vectors along depths become vectors along rows."""
        squares = (self._square(number, row, depth) for number, row in enumerate(self.rows))
        return self.block.declared, *(statement for square in squares for statement in square)

    def _square(self, number: int, row: tree.Expression, depth: tree.Expression) -> Iterator[tree.Statement]:
        lines = range(width := self.block.vector.width)
        rows = (index.add(row, index.constant(line)) for line in lines)
        yield from self.block.loaded([self._at(self.left, each, depth, width) for each in rows])
        for line in lines:
            place = index.constant(width * number), index.add(depth, index.constant(line))
            yield tree.Assign(self._at(self.panel, *place, width), self.block.at(line))

    def _at(self, factor: ViewFactor, row: tree.Expression, depth: tree.Expression, count: int) -> tree.Place:
        return neighbours(factor, {Axis.M: row, Axis.K: depth}, count)
