"""The tile that a work-group computes: the loop over the depths, the sums, and the update of the target.

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

from collections.abc import Iterator
from dataclasses import dataclass

from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.geometry import work_group
from einsum_front.tl_backend.opencl.scalar import number
from einsum_front.tl_backend.schedules.packed import axis
from einsum_front.tl_backend.schedules.packed.axis import Order
from einsum_front.tl_backend.schedules.packed.contract import counter_of, product_of, start_of
from einsum_front.tl_backend.schedules.tiled.panels import Panel, Side
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, PART, Sizes
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.update import update

LOCAL_BARRIER = tree.Barrier((AddressSpace.LOCAL,))


def lower_tile(contraction: Contraction, sizes: Sizes, context: Context) -> tree.Statements:
    """The tile of this work-group, under comments that say what it was written as."""
    first = contraction.products[0].instruction
    body = _Lowering(contraction, sizes, context).statements()
    return (tree.Section(comment(first), body, first.origin),)


@dataclass(frozen=True, slots=True)
class _Sums:
    """The sums of a work-item, which only constants choose, so that they are registers."""

    array: tree.Name
    sizes: Sizes

    @property
    def count(self) -> int:
        return self.sizes.rows * self.sizes.columns

    def at(self, row: int, column: int) -> tree.Subscript:
        return tree.Subscript(self.array, index.constant(row + self.sizes.rows * column))

    def declare(self, real: Scalar) -> tree.Statements:
        """All of them zero."""
        zero, places = number(0, real), (index.constant(each) for each in range(self.count))
        array = tree.DeclareArray(real, self.array.text, self.count, AddressSpace.PRIVATE)
        return array, *(tree.Assign(tree.Subscript(self.array, place), zero) for place in places)


class _Lowering:
    """A contraction while it becomes statements."""

    def __init__(self, contraction: Contraction, sizes: Sizes, context: Context) -> None:
        self._of, self._sizes, self._context, self._names = contraction, sizes, context, context.names
        self._counter, self._product = counter_of(contraction), product_of(contraction, context)
        self._row, self._column, self._item = (self._fresh(word) for word in ("item_row", "item_column", "item"))
        self._first_row, self._first_column = self._fresh("first_row"), self._fresh("first_column")
        self._sums, self._depth = _Sums(self._fresh("sum"), sizes), self._fresh("depth")

    def _fresh(self, word: str) -> tree.Name:
        return tree.Name(self._names.fresh(word))

    def statements(self) -> tree.Statements:
        """The place of the tile, the panels, the loop, and the update."""
        of, orders, real = self._of, self._sizes.orders, self._product.type
        place, shared = self._place()
        pointers = []
        for operand, tensor in ((of.left, axis.left), (of.right, axis.right), (of.target, axis.target)):
            name = self._fresh(tensor.__name__)
            view = self._context.view(operand.root)
            start = start_of(of, operand, tensor, shared, self._context)
            place = *place, tree.Declare(view.pointer, name.text, index.add(view.base, start))
            pointers.append(name)
        left, right, target = pointers
        panels = [
            Panel(
                Side(
                    tensor.__name__, pointer, order, orders.depths, tensor, first, block, orders.is_along(order, tensor)
                ),
                real,
                self._counter,
                self._item,
                self._names,
            )
            for pointer, tensor, order, first, block in (
                (left, axis.left, orders.rows, self._first_row, self._sizes.rows),
                (right, axis.right, orders.columns, self._first_column, self._sizes.columns),
            )
        ]
        declared = tuple(each for panel in panels for each in panel.declare())
        fetched = tuple(each for panel in panels for each in panel.fetch(index.ZERO))
        return *place, *declared, *fetched, *self._sums_of(panels), *self._update(target)

    def _place(self) -> tuple[tree.Statements, tree.Expression]:
        """The place of the tile and of the work-item in it, and the number of the position in shared indices."""
        sizes, tile = self._sizes, self._fresh("tile")
        down, across = index.constant(sizes.down), index.constant(sizes.across)
        rest = index.divide(tile, down)
        column = index.remainder(rest, across) if sizes.shared > 1 else rest
        row = index.multiply(index.constant(sizes.tile_rows), index.remainder(tile, down))
        item = index.add(self._row, index.multiply(index.constant(ITEMS), self._column))
        values = (
            (tile, index.remainder(work_group(), index.constant(sizes.groups))),
            (self._row, tree.ItemId(0)),
            (self._column, tree.ItemId(1)),
            (self._item, item),
            (self._first_row, row),
            (self._first_column, index.multiply(index.constant(sizes.tile_columns), column)),
        )
        declared = tuple(tree.Declare(self._counter, name.text, value) for name, value in values)
        return declared, index.divide(rest, across) if sizes.shared > 1 else index.ZERO

    # -- the sums ------------------------------------------------------------------------------------------------------

    def _sums_of(self, panels: list[Panel]) -> tree.Statements:
        """The loop over the depths; many have sums of parts, which are added to those of all."""
        count, real = self._sizes.orders.depths.count, self._product.type
        declared = self._sums.declare(real)
        if count <= PART:
            return *declared, self._loop(panels, self._sums, index.ZERO, index.constant(count))
        part, part_sums = self._fresh("part"), _Sums(self._fresh("part_sum"), self._sizes)
        step, stop = index.constant(PART), index.constant(count)
        end = index.minimum(index.add(part, step), stop)
        every = range(self._sums.count)
        added = tuple(
            tree.Assign(
                tree.Subscript(self._sums.array, index.constant(each)),
                tree.Subscript(part_sums.array, index.constant(each)),
                tree.BinaryOperator.ADD,
            )
            for each in every
        )
        body = *part_sums.declare(real), self._loop(panels, part_sums, part, end), *added
        return *declared, tree.For(self._counter, part.text, index.ZERO, stop, step, body)

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
        return tree.For(self._counter, self._depth.text, start, stop, step, body)

    def _multiply(self, panels: list[Panel], sums: _Sums) -> tree.Statement:
        names = self._names.inner()
        depth, (left, right), real = tree.Name(names.fresh("k")), panels, self._product.type
        rows = [tree.Name(names.fresh(f"a{each}")) for each in range(self._sizes.rows)]
        columns = [tree.Name(names.fresh(f"b{each}")) for each in range(self._sizes.columns)]
        read = (
            *(tree.Declare(real, name.text, left.entry(depth, self._row, n)) for n, name in enumerate(rows)),
            *(tree.Declare(real, name.text, right.entry(depth, self._column, n)) for n, name in enumerate(columns)),
        )
        added = tuple(
            tree.Assign(sums.at(m, n), tree.Binary(tree.BinaryOperator.MULTIPLY, a, b), tree.BinaryOperator.ADD)
            for n, b in enumerate(columns)
            for m, a in enumerate(rows)
        )
        stop = index.constant(ITEMS)
        return tree.For(self._counter, depth.text, index.ZERO, stop, index.ONE, (*read, *added), tree.Unroll.FULLY)

    # -- the update ----------------------------------------------------------------------------------------------------

    def _update(self, target: tree.Name) -> tree.Statements:
        """Entries that the target has; work-items beside each other write neighbours along its memory."""
        sizes, orders = self._sizes, self._sizes.orders
        rows = list(self._places("row", sizes.rows, self._first_row, self._row, orders.rows))
        columns = list(self._places("column", sizes.columns, self._first_column, self._column, orders.columns))
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
        self, word: str, count: int, first: tree.Expression, item: tree.Expression, order: Order
    ) -> Iterator[tuple[tree.Name, tree.Declare, tree.Expression, tree.Expression | None]]:
        """For each row of the block: its number in a variable, its offset in the target, and whether it exists."""
        edge = ITEMS * count
        for each in range(count):
            name = self._fresh(f"{word}{each}")
            position = index.total((first, item, index.constant(ITEMS * each)))
            declare = tree.Declare(self._counter, name.text, position)
            is_whole = order.count % edge == 0
            exists = None if is_whole else tree.Binary(tree.BinaryOperator.LESS, name, index.constant(order.count))
            yield name, declare, order.offset(axis.target, name), exists
