"""A contraction as a kernel: every element of the batch is computed by several work-groups, one for each tile.

The tile that a work-group computes: the loop over the depths, the sums, and the update of the target.

fetch the first depths
for (int depth = 0; depth < 1000; depth += 16) {
    store them to the panels
    barrier
    if (depth + 16 < 1000) fetch the next ones
    for (int k = 0; k < 16; ++k)
        sum[0] += a0 * b0; …
    barrier
}
"""

from collections.abc import Generator, Iterator, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.matrices import MatrixInstruction
from einsum_front.core.names import Names
from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.kernel import Kernel, comment, work_group
from einsum_front.tl_backend.opencl.scalar import REGISTER, number
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.lowering.product import update
from einsum_front.tl_backend.schedules.tiled.panels import Panel, Side
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, PART, RUN, Sizes
from einsum_front.tl_backend.schedules.tiles import axis
from einsum_front.tl_backend.schedules.tiles.axis import Order
from einsum_front.tl_backend.schedules.tiles.contraction import TiledContraction, begin
from einsum_front.tl_backend.semantics import Axis


def lower(
    function: Source, contraction: Contraction, sizes: Sizes, target: Target, taken: frozenset[str] = frozenset()
) -> Kernel:
    """The kernel of a function that is this contraction, cut into tiles of these sizes.

    `taken` are names that it cannot define. Raises `CompileError` with all that the target cannot do (E06xx).
    """
    tiled = begin(function, contraction, target, sizes.groups, taken)
    return Kernel(
        tree.File((tiled.kernel(lower_tile(tiled, sizes), (ITEMS, ITEMS)),)),
        work_group_size=(ITEMS, ITEMS),
        local_memory=sizes.entries * size_of(REGISTER[contraction.element]),
        groups_per_element=sizes.groups,
    )


# -- tile --------------------------------------------------------------------------------------------------------------


LOCAL_BARRIER = tree.Barrier((AddressSpace.LOCAL,))


def lower_tile(tiled: TiledContraction, sizes: Sizes) -> tree.Statements:
    """The tile of this work-group, under comments that say what it was written as."""
    first = tiled.contraction.products[0].instruction
    body = _Lowering(tiled, sizes).statements()
    return (tree.Section(comment(first), body, first.origin),)


@dataclass(frozen=True, slots=True)
class _Block:
    """The sums of a work-item: which rows and columns of the tile, as distances from its first ones."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]

    @property
    def count(self) -> int:
        return len(self.rows) * len(self.columns)


def _block_of(sizes: Sizes) -> _Block:
    """Of all work-items: those beside each other have neighbouring rows."""
    matrices = sizes.matrices
    if matrices is None:
        return _Block(_runs(sizes.rows), _runs(sizes.columns))
    by = matrices.instruction
    firsts = range(0, sizes.tile_columns // matrices.across, by.columns)
    columns = tuple(column + each for column in firsts for each in range(by.width))
    return _Block(tuple(range(0, sizes.tile_rows // matrices.down, by.height)), columns)


def _runs(count: int) -> tuple[int, ...]:
    """The distances of so many rows of a work-item: runs of neighbours, which all work-items have before the next."""
    run = min(RUN, count)
    return tuple(first + each for first in range(0, ITEMS * count, ITEMS * run) for each in range(run))


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sums of a work-item, which only constants choose, so that they are registers."""

    array: tree.Name
    block: _Block

    def at(self, row: int, column: int) -> tree.Subscript:
        return tree.Subscript(self.array, index.constant(row + len(self.block.rows) * column))

    def declare(self, real: Scalar) -> tree.Statements:
        """All of them zero."""
        zero, places = number(0, real), (index.constant(each) for each in range(self.block.count))
        array = tree.DeclareArray(real, self.array.text, self.block.count, AddressSpace.PRIVATE)
        return array, *(tree.Assign(tree.Subscript(self.array, place), zero) for place in places)


def _turned(rows: Sequence[tree.Expression], turn: int) -> list[tree.Expression]:
    """Parts of complex numbers times the imaginary unit, or times that with its sign."""
    found: list[tree.Expression] = []
    for real, imaginary in zip(rows[::2], rows[1::2], strict=True):
        minus, plus = (imaginary, real) if turn > 0 else (real, imaginary)
        negated = tree.Unary(tree.UnaryOperator.NEGATE, minus)
        found += (negated, plus) if turn > 0 else (plus, negated)
    return found


def _add_products(
    sums: _Sums, rows: Sequence[tree.Expression], columns: Sequence[tree.Expression]
) -> Iterator[tree.Assign]:
    """The outer product of some rows and columns."""
    for n, b in enumerate(columns):
        for m, a in enumerate(rows):
            yield tree.Assign(sums.at(m, n), tree.Binary(tree.BinaryOperator.MULTIPLY, a, b), tree.BinaryOperator.ADD)


class _Lowering:
    """A contraction while it becomes statements."""

    def __init__(self, tiled: TiledContraction, sizes: Sizes) -> None:
        self._tiled, self._sizes, self._context, self._names = tiled, sizes, tiled.context, tiled.context.names
        depths = tiled.contraction.letters(sizes.orders.depths.indices)
        self._counter, self._product = tiled.counter, replace(tiled.product, letters={Axis.K: depths})
        self._row, self._column, self._item = (self._fresh(word) for word in ("item_row", "item_column", "item"))
        self._first_row, self._first_column = self._fresh("first_row"), self._fresh("first_column")
        self._lane_row, self._lane_depth = (self._fresh(word) for word in ("lane_row", "lane_depth"))
        self._left_row, self._sign = self._row, None
        if sizes.turn and sizes.matrices is not None:
            self._left_row, self._sign = self._fresh("left_row"), self._fresh("turn")
        self._block = _block_of(sizes)
        self._sums, self._depth = _Sums(self._fresh("sum"), self._block), self._fresh("depth")

    def _fresh(self, word: str) -> tree.Name:
        return tree.Name(self._names.fresh(word))

    def statements(self) -> tree.Statements:
        """The place of the tile, the panels, the loop, and the update."""
        orders, real = self._sizes.orders, self._product.type
        place, shared = self._place()
        pointers = self._tiled.pointers(shared)
        left, right, target = (tree.Name(each.name) for each in pointers)
        panels = [
            Panel(
                Side(tensor.__name__, pointer, order, orders.depths, tensor, first, shape),
                real,
                self._counter,
                self._item,
                self._names,
            )
            for pointer, tensor, order, first, shape in (
                (left, axis.left, orders.rows, self._first_row, self._sizes.left),
                (right, axis.right, orders.columns, self._first_column, self._sizes.right),
            )
        ]
        declared = tuple(each for panel in panels for each in panel.declare())
        fetched = tuple(each for panel in panels for each in panel.fetch(index.ZERO))
        return *place, *pointers, *declared, *fetched, *self._sums_of(panels), *self._update(target)

    def _place(self) -> tuple[tree.Statements, tree.Expression]:
        """The place of the tile and of the work-item in it, and the number of the position in shared indices."""
        sizes, tile = self._sizes, self._fresh("tile")
        down, across = index.constant(sizes.down), index.constant(sizes.across)
        rest = index.divide(tile, down)
        column = index.remainder(rest, across) if sizes.shared > 1 else rest
        row = index.multiply(index.constant(sizes.tile_rows), index.remainder(tile, down))
        values = (
            (tile, index.remainder(work_group(), index.constant(sizes.groups))),
            *self._own(),
            (self._first_row, row),
            (self._first_column, index.multiply(index.constant(sizes.tile_columns), column)),
        )
        declared = tuple(tree.Declare(self._counter, name.text, value) for name, value in values)
        declared = *declared, *self._turn()
        return declared, index.divide(rest, across) if sizes.shared > 1 else index.ZERO

    def _own(self) -> Iterator[tuple[tree.Name, tree.Expression]]:
        """The number of a work-item, and its first row and column; those beside each other have neighbouring rows."""
        sizes, matrices = self._sizes, self._sizes.matrices
        yield self._item, index.add(tree.ItemId(0), index.multiply(index.constant(ITEMS), tree.ItemId(1)))
        if matrices is None:
            yield self._row, index.multiply(index.constant(min(RUN, sizes.rows)), tree.ItemId(0))
            yield self._column, index.multiply(index.constant(min(RUN, sizes.columns)), tree.ItemId(1))
            return
        by, down = matrices.instruction, index.constant(matrices.down)
        depths, items = index.constant(by.depth), index.constant(by.subgroup)
        subgroup = index.divide(self._item, items)
        yield self._lane_row, index.divide(index.remainder(self._item, items), depths)
        yield self._lane_depth, index.remainder(self._item, depths)
        rows = index.constant(sizes.tile_rows // matrices.down)
        yield self._row, index.add(index.multiply(rows, index.remainder(subgroup, down)), self._lane_row)
        columns = index.constant(sizes.tile_columns // matrices.across)
        yield self._column, index.multiply(columns, index.divide(subgroup, down))

    def _turn(self) -> Iterator[tree.Declare]:
        """For matrices: the row of the left panel that a work-item reads, and its sign.

        At odd depths real parts are imaginary ones with the other sign, and imaginary parts are real ones.
        """
        if self._sign is None:
            return
        is_odd, is_imaginary = (index.remainder(each, index.constant(2)) for each in (self._lane_depth, self._lane_row))
        to_other = index.subtract(index.ONE, index.multiply(index.constant(2), is_imaginary))
        yield tree.Declare(self._counter, self._left_row.text, index.add(self._row, index.multiply(is_odd, to_other)))
        plus, of_real, of_imaginary = (
            number(each, self._product.type) for each in (1, -self._sizes.turn, self._sizes.turn)
        )
        of_odd = tree.Conditional(
            tree.Binary(tree.BinaryOperator.EQUAL, is_imaginary, index.ZERO), of_real, of_imaginary
        )
        sign = tree.Conditional(tree.Binary(tree.BinaryOperator.EQUAL, is_odd, index.ZERO), plus, of_odd)
        yield tree.Declare(self._product.type, self._sign.text, sign)

    # -- the sums ------------------------------------------------------------------------------------------------------

    def _sums_of(self, panels: list[Panel]) -> tree.Statements:
        """The loop over the depths; many have sums of parts, which are added to those of all."""
        count, real = self._sizes.orders.depths.count, self._product.type
        declared = self._sums.declare(real)
        if count <= PART:
            return *declared, self._loop(panels, self._sums, index.ZERO, index.constant(count))
        part, part_sums = self._fresh("part"), _Sums(self._fresh("part_sum"), self._block)
        step, stop = index.constant(PART), index.constant(count)
        end = index.minimum(index.add(part, step), stop)
        every = range(self._block.count)
        added = tuple(
            tree.Assign(
                tree.Subscript(self._sums.array, index.constant(each)),
                tree.Subscript(part_sums.array, index.constant(each)),
                tree.BinaryOperator.ADD,
            )
            for each in every
        )
        body = *part_sums.declare(real), self._loop(panels, part_sums, part, end), *added
        return *declared, self._product.loop(Axis.K, self._counter, part.text, (index.ZERO, stop, step), body)

    def _loop(self, panels: list[Panel], sums: _Sums, start: tree.Expression, stop: tree.Expression) -> tree.Statement:
        """Panel after panel: the entries of the next one are fetched before the present one is multiplied."""
        count, step = index.constant(self._sizes.orders.depths.count), index.constant(ITEMS)
        following = index.add(self._depth, step)
        fetch = tuple(each for panel in panels for each in panel.fetch(following))
        body = (
            *(each for panel in panels for each in panel.store()),
            LOCAL_BARRIER,
            tree.If(tree.Binary(tree.BinaryOperator.LESS, following, count), fetch),
            self._multiply(panels, sums),
            LOCAL_BARRIER,
        )
        return self._product.loop(Axis.K, self._counter, self._depth.text, (start, stop, step), body)

    def _multiply(self, panels: list[Panel], sums: _Sums) -> tree.Statement:
        """The products of a panel: one depth after the other, or some at a time."""
        matrices, names = self._sizes.matrices, self._names.inner()
        depth = tree.Name(names.fresh("within"))
        if matrices is not None:
            by = matrices.instruction
            body, step = self._matrix_products(panels, sums, depth, names, by), by.depth
        elif self._sizes.turn:
            body, step = self._complex_products(panels, sums, depth, names), 2
        else:
            body, step = self._products(panels, sums, depth, names), 1
        bounds = index.ZERO, index.constant(ITEMS), index.constant(step)
        return self._product.loop(Axis.K, self._counter, depth.text, bounds, tuple(body), tree.Unroll.FULLY)

    def _products(
        self, panels: list[Panel], sums: _Sums, depth: tree.Expression, names: Names
    ) -> Iterator[tree.Statement]:
        left, right = panels
        rows = yield from self._read(left, depth, self._row, self._block.rows, names, "a")
        columns = yield from self._read(right, depth, self._column, self._block.columns, names, "b")
        yield from _add_products(sums, rows, columns)

    def _complex_products(
        self, panels: list[Panel], sums: _Sums, depth: tree.Expression, names: Names
    ) -> Iterator[tree.Statement]:
        """Of two depths: the rows of the second one are those of the first one times the imaginary unit."""
        left, right = panels
        rows = yield from self._read(left, depth, self._row, self._block.rows, names, "a")
        both: tuple[Sequence[tree.Expression], ...] = (rows, _turned(rows, self._sizes.turn))
        for each, factors in enumerate(both):
            at = index.add(depth, index.constant(each))
            columns = yield from self._read(right, at, self._column, self._block.columns, names, "b")
            yield from _add_products(sums, factors, columns)

    def _matrix_products(
        self, panels: list[Panel], sums: _Sums, depth: tree.Expression, names: Names, by: MatrixInstruction
    ) -> Iterator[tree.Statement]:
        """By instructions: a work-item has one depth of rows and columns, and neighbouring columns of sums."""
        left, right = panels
        own_depth, own_column = index.add(depth, self._lane_depth), index.add(self._column, self._lane_row)
        rows = yield from self._read(left, own_depth, self._left_row, self._block.rows, names, "a", self._sign)
        columns = yield from self._read(right, own_depth, own_column, self._block.columns[:: by.width], names, "b")
        for n, b in enumerate(columns):
            for m in range(0, len(rows), by.entries):
                places = ((m + low, by.width * n + each) for low in range(by.entries) for each in range(by.width))
                targets = tuple(sums.at(*place) for place in places)
                yield tree.MatrixMultiplyAdd(by, targets, tuple(rows[m : m + by.entries]), b)

    def _read(
        self,
        panel: Panel,
        depth: tree.Expression,
        first: tree.Expression,
        distances: Sequence[int],
        names: Names,
        word: str,
        sign: tree.Expression | None = None,
    ) -> Generator[tree.Statement, None, list[tree.Name]]:
        """Declares the entries of some rows (or columns) of a panel, times a sign; gives their names."""
        found = [tree.Name(names.fresh(f"{word}{each}")) for each in range(len(distances))]
        for name, distance in zip(found, distances, strict=True):
            entry = panel.entry(depth, index.add(first, index.constant(distance)))
            if sign is not None:
                entry = tree.Binary(tree.BinaryOperator.MULTIPLY, sign, entry)
            yield tree.Declare(self._product.type, name.text, entry)
        return found

    # -- the update ----------------------------------------------------------------------------------------------------

    def _update(self, target: tree.Name) -> tree.Statements:
        """Entries that the target has; work-items beside each other write neighbours along its memory."""
        sizes, orders, block = self._sizes, self._sizes.orders, self._block
        own: tree.Expression = self._column
        if sizes.matrices is not None:
            width = index.constant(sizes.matrices.instruction.width)
            own = index.add(own, index.multiply(width, self._lane_depth))
        rows = list(self._places("row", block.rows, sizes.tile_rows, self._first_row, self._row, orders.rows))
        columns = list(
            self._places("column", block.columns, sizes.tile_columns, self._first_column, own, orders.columns)
        )
        statements: list[tree.Statement] = [declare for _, declare, _, _ in (*rows, *columns)]
        for n, (column, _, column_offset, has_column) in enumerate(columns):
            inner: list[tree.Statement] = []
            for m, (row, _, row_offset, has_row) in enumerate(rows):
                del row
                entry = tree.Subscript(target, index.add(row_offset, column_offset))
                stored = update(self._product, entry, self._sums.at(m, n), self._context)
                inner.append(stored if has_row is None else tree.If(has_row, (stored,)))
            del column
            statements.extend(inner if has_column is None else [tree.If(has_column, tuple(inner))])
        return tuple(statements)

    def _places(
        self,
        word: str,
        distances: tuple[int, ...],
        edge: int,
        first: tree.Expression,
        item: tree.Expression,
        order: Order,
    ) -> Iterator[tuple[tree.Name, tree.Declare, tree.Expression, tree.Expression | None]]:
        """For each row of the block: its number in a variable, its offset in the target, and whether it exists."""
        for each, distance in enumerate(distances):
            name = self._fresh(f"{word}{each}")
            position = index.total((first, item, index.constant(distance)))
            declare = tree.Declare(self._counter, name.text, position)
            is_whole = order.count % edge == 0
            exists = None if is_whole else tree.Binary(tree.BinaryOperator.LESS, name, index.constant(order.count))
            yield name, declare, order.offset(axis.target, name), exists
