"""One block of a matrix product, with vectors along the rows: sums in registers, then the update of the result.

double4 sum[12];
for (int k = 0; k < 24; ++k) {
    double4 a0 = *(global const double4_u *)(A + (i + 24 * k)), a1 = …, a2 = …;
    double b0 = B[k + 24 * j], …;
    sum[0] += a0 * b0;
    …
}
*(global double4_u *)(C + (i + 24 * j)) = sum[0];
…

If the rows do not fill the last vector, it is a shorter one, or starts so much earlier that it ends with the last row,
and computes entries again that the vector in front of it has. Where the result is only written, it writes them again:
they have the same value. Where the result is added to, the lanes that are new are added in pieces.

If what is left is half a vector at most, columns can share one for it: the rows of the one are its first half, those
of the other its second; or they are four quarters, or eight eighths.

Where it is known that vectors of rows have nothing at some depths, the loop over the depths is several (see `depths`).
Where the right factor is known to be sparse, there is no loop: each depth has the columns that it adds something to.
"""

from collections.abc import Iterator, Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import number
from einsum_front.tl_backend.schedules.lowering.outer_product import (
    LastVector,
    Sums,
    add_outer_product,
    neighbours,
    powers,
)
from einsum_front.tl_backend.schedules.lowering.product import ViewFactor, ViewProduct, update, updated
from einsum_front.tl_backend.schedules.work_group.epilogue import Finished, lower_epilogue
from einsum_front.tl_backend.schedules.work_group.register_blocks import RowPart, find_stages, work_of
from einsum_front.tl_backend.schedules.work_group.tile import LAST, SUM, Frame
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True, eq=False)
class VectorProduct:
    """A product of matrices whose rows are neighbours in memory: `left` runs along them, `right` along the columns.

    It has so many `rows`, at least as many as a vector of `width`; `last` is the last vector if it has fewer of them.
    `active` says which vectors take part at which depths, `terms` which columns do where all depths are unrolled, if
    others can be left out. `parts` are the blocks of the result that are kept in registers. The `epilogue` is done
    before entries are stored.
    """

    product: ViewProduct
    left: ViewFactor
    right: ViewFactor
    rows: int
    width: int
    last: LastVector | None
    active: Mask | None = None
    parts: tuple[RowPart, ...] = ()
    terms: Mask | None = None
    epilogue: Epilogue | None = None

    @property
    def vectors(self) -> int:
        """How many it takes for all rows."""
        return -(-self.rows // self.width)

    @property
    def columns(self) -> tree.Expression:
        """The columns of the result, one if it is a vector."""
        return self.product.extent(Axis.N) if Axis.N in self.product.target.axes else index.ONE

    @property
    def sharing(self) -> int:
        """How many columns share the last vector."""
        return 1 if self.last is None else self.last.columns

    @property
    def vector(self) -> Vector:
        """The type of the sums."""
        return Vector(self.product.type, self.width)

    def first_row(self, block: tree.Expression, vector: int, lanes: int) -> tree.Expression:
        """Where so many rows of a vector start in a block that starts at a row: in time to end with the last row."""
        row = index.add(block, index.constant(self.width * vector))
        return index.constant(min(row.value, self.rows - lanes)) if isinstance(row, tree.Integer) else row

    def last_in(self, block: tree.Expression, vectors: int) -> LastVector | None:
        """The last vector of a block, if it has fewer rows than others."""
        is_last = isinstance(block, tree.Integer) and block.value + self.width * vectors >= self.rows
        return self.last if is_last else None

    def active_in(self, block: tree.Expression, vectors: int) -> Mask | None:
        """Which vectors of a block take part at which depths, if others can be left out."""
        if self.active is None or not isinstance(block, tree.Integer):
            return None
        first = block.value // self.width
        return self.active[first : first + vectors]


@dataclass(frozen=True, slots=True)
class VectorBlock:
    """The block of so many `vectors` and `columns` whose first entry is (`row`, `column`).

    `panel` is a copy of its rows of the left factor, if there is one; `at_depth` is done besides at each depth.
    """

    form: VectorProduct
    row: tree.Expression
    column: tree.Expression
    vectors: int
    columns: int
    panel: ViewFactor | None
    at_depth: tree.Statements = ()


def lower_vector_block(block: VectorBlock, frame: Frame) -> tree.Statements:
    """The statements that compute the block and update the result."""
    return tuple(_Lowering(block, frame).statements())


def _unroll(depth: tree.Expression, most: int) -> tree.Unroll:
    """A loop over at most so many depths would take longer than what it repeats."""
    is_short = isinstance(depth, tree.Integer) and depth.value <= most
    return tree.Unroll.FULLY if is_short else tree.Unroll.AS_THE_COMPILER_LIKES


class _Lowering:
    """A block while it becomes statements."""

    def __init__(self, block: VectorBlock, frame: Frame) -> None:
        self._block, self._frame, self._form = block, frame, block.form
        self._core = frame.context.target.machine.work_group.blocks
        self._holds = frame.context.target.holds_numbers
        last = block.form.last_in(block.row, block.vectors)
        arrays = frame.variable(SUM), frame.variable(LAST)
        self._sums = Sums(arrays[0], block.form.vector, block.vectors, block.columns, last, arrays[1])
        self._active = block.form.active_in(block.row, block.vectors)

    def statements(self) -> Iterator[tree.Statement]:
        """Sums of zero, the loop over the depths, and the update."""
        block, zero = self._block, number(0, self._form.product.type)
        yield from self._sums.declared
        yield from (tree.Assign(sum_, zero) for sum_ in self._sums.all)
        yield from self._summed()
        for column in range(block.columns):
            for vector in range(block.vectors):
                if self._changes(vector):
                    yield from self._update(vector, column)

    def _summed(self) -> Iterator[tree.Statement]:
        """The loops over the depths: one, unless it is known where vectors have nothing."""
        vectors = range(self._block.vectors)
        if self._form.terms is not None and isinstance(self._block.column, tree.Integer):
            yield from self._unrolled(self._form.terms, self._block.column.value)
            return
        if self._active is None:
            yield self._loop(index.ZERO, self._form.product.extent(Axis.K), vectors)
            return
        work = work_of(self._block.vectors, self._block.columns, self._sums.sharing)
        for stage in find_stages(self._active, work, self._core):
            yield self._loop(index.constant(stage.start), index.constant(stage.stop), sorted(stage.vectors))

    def _loop(self, start: tree.Expression, stop: tree.Expression, vectors: Sequence[int]) -> tree.Statement:
        """The products of these vectors at the depths from `start` below `stop`."""
        frame, names = self._frame, self._frame.context.inner().names
        lefts = {vector: self._left(vector) for vector in vectors}
        step = tuple(add_outer_product(lefts, self._rights(), self._sums, names, holds=self._holds))
        unroll = _unroll(index.subtract(stop, start), self._core.unrolled)
        return frame.loop(Axis.K, (start, stop, index.ONE), (*self._block.at_depth, *step), unroll)

    def _unrolled(self, terms: Mask, first: int) -> Iterator[tree.Statement]:
        """The products at each depth, of columns from `first` on that have some there."""
        for place in range(len(terms)):
            columns = [column for column in range(self._block.columns) if terms[place, first + column]]
            vectors = [n for n in range(self._block.vectors) if self._active is None or self._active[n, place]]
            if not columns or not vectors:
                continue
            depth, names = index.constant(place), self._frame.context.inner().names
            lefts = {vector: self._left(vector, depth) for vector in vectors}
            rights = {
                column: self._at(self._form.right, index.ZERO, self._column(column), 1, depth) for column in columns
            }
            yield tree.Block(tuple(add_outer_product(lefts, rights, self._sums, names, holds=self._holds)))

    def _changes(self, vector: int) -> bool:
        """True if a vector of the result gets new values: not if nothing is added to it."""
        if self._active is None or not self._form.product.beta.is_number(1):
            return True
        return bool(self._active[vector].any())

    def _left(self, vector: int, depth: tree.Expression | None = None) -> tree.Expression:
        form, block, lanes = self._form, self._block, self._lanes(vector)
        if block.panel is not None:
            row = index.constant(form.width * vector + form.width - lanes)
            return self._at(block.panel, row, index.ZERO, lanes, depth)
        return self._at(form.left, form.first_row(block.row, vector, lanes), index.ZERO, lanes, depth)

    def _lanes(self, vector: int) -> int:
        """The rows of a vector."""
        last = self._sums.last
        return self._form.width if last is None or vector < self._block.vectors - 1 else last.rows

    def _rights(self) -> dict[int, tree.Expression]:
        columns = {number: self._column(number) for number in range(self._block.columns)}
        return {number: self._at(self._form.right, index.ZERO, column, 1) for number, column in columns.items()}

    def _column(self, column: int) -> tree.Expression:
        return index.add(self._block.column, index.constant(column))

    def _update(self, vector: int, column: int) -> Iterator[tree.Statement]:
        """Update of the result by a sum."""
        form, lanes = self._form, self._lanes(vector)
        place = form.first_row(self._block.row, vector, lanes)
        sum_, width = self._sums.at(vector, column), self._sums.type(vector).width
        lane = column * lanes % width
        start = index.add(self._block.row, index.constant(form.width * vector))
        known = 0 if place == start or form.product.beta.is_number(0) else lanes - form.rows % form.width
        for part, size in powers(lanes - known):
            first = known + part
            row = index.add(place, index.constant(first))
            value = sum_ if size == width else tree.Lanes(sum_, tuple(range(lane + first, lane + first + size)))
            yield from self._stored(row, self._column(column), size, value)

    def _stored(
        self, row: tree.Expression, column: tree.Expression, size: int, value: tree.Expression
    ) -> Iterator[tree.Statement]:
        """The update of neighbouring entries, and what is done to them before they are stored."""
        form, context = self._form, self._frame.context
        entry = self._at(form.product.target, row, column, size)
        if form.epilogue is None:
            yield update(form.product, entry, value, context, size)
            return
        inner = context.inner()
        changed = updated(form.product, entry, value, inner, size)
        entries = Finished(row, column, size, changed)
        yield tree.Block(lower_epilogue(form.epilogue, entry, entries, form.product.type, inner))

    def _at(
        self,
        factor: ViewFactor,
        row: tree.Expression,
        column: tree.Expression,
        count: int,
        depth: tree.Expression | None = None,
    ) -> tree.Place:
        """Entries in neighbouring rows, at a depth: that of the loop if none is given."""
        places = {Axis.M: row, Axis.N: column, Axis.K: self._frame.variable(Axis.K) if depth is None else depth}
        return neighbours(factor, places, count)
