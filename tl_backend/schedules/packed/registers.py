"""The innermost loop: a small block of the target, summed in vector registers and then added to what is in memory.

double4 sum[12];
for (int k = 0; k < depths; ++k) {
    double4 a0 = …, a1 = …;            the next rows of the left panel
    double b0 = …;                     the next entry of the right panel
    sum[0] += a0 * b0;
    …
}
"""

from collections.abc import Callable, Iterator
from dataclasses import replace

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import number
from einsum_front.tl_backend.schedules.lowering.outer_product import Sums, add_outer_product, powers
from einsum_front.tl_backend.schedules.lowering.product import ViewProduct, update
from einsum_front.tl_backend.schedules.packed.tile import Tile
from einsum_front.tl_backend.semantics import Axis


def multiply_panels(tile: Tile) -> tree.Statements:
    """All blocks of the tile: the columns outside, so that theirs stay in the first cache while the rows pass by.

    Where the columns go on behind a few rows in the memory of the target, it is written in that order.
    """
    names, sizes = tile.context.inner().names, tile.sizes
    words = tile.product.letter(Axis.M), tile.product.letter(Axis.N), "group_row"
    row, column, group = (tree.Name(names.fresh(word)) for word in words)
    body = _Block(tile, row, column).statements()
    columns, rows = index.constant(sizes.columns), index.constant(sizes.rows)
    if sizes.group_rows >= sizes.tile_rows:
        inner = tile.loop(Axis.M, row, (index.ZERO, tile.rows, rows), body)
        return (tile.loop(Axis.N, column, (index.ZERO, tile.columns, columns), (inner,)),)
    step = index.constant(sizes.group_rows)
    stop = index.minimum(index.add(group, step), tile.rows)
    inner = tile.loop(Axis.M, row, (group, stop, rows), body)
    across = tile.loop(Axis.N, column, (index.ZERO, tile.columns, columns), (inner,))
    return (tile.loop(Axis.M, group, (index.ZERO, tile.rows, step), (across,)),)


class _Block:
    """The sums of one block, whose first entry of the tile is (`row`, `column`)."""

    def __init__(self, tile: Tile, row: tree.Name, column: tree.Name) -> None:
        self._tile, self._row, self._column = tile, row, column
        self._names = tile.context.inner().names
        for name in (row.text, column.text):
            self._names.fresh(name)
        sum_, self._depth, self._entries, self._ii, self._jj = (
            tree.Name(self._names.fresh(word))
            for word in (
                "sum",
                tile.product.letter(Axis.K),
                "entries",
                tile.product.letter(Axis.M) * 2,
                tile.product.letter(Axis.N) * 2,
            )
        )
        self._sums = Sums(sum_, tile.vector, tile.sizes.vectors, tile.sizes.columns)

    def statements(self) -> tree.Statements:
        """The sums and what becomes of them."""
        tile, sizes = self._tile, self._tile.sizes
        zero = number(0, tile.product.type)
        loop = tile.loop(Axis.K, self._depth, (index.ZERO, tile.depths, index.ONE), tuple(self._step()))
        return (
            *self._sums.declared,
            *(tree.Assign(self._sums.at(v, c), zero) for c in range(sizes.columns) for v in range(sizes.vectors)),
            loop,
            *self._update(),
        )

    def _step(self) -> Iterator[tree.Statement]:
        """Terms of one reduction index for all sums."""
        tile, sizes = self._tile, self._tile.sizes
        lefts = {vector: self._left(vector * sizes.width) for vector in range(sizes.vectors)}
        places = (self._in_panel(self._column, sizes.columns, column) for column in range(sizes.columns))
        rights = dict(enumerate(tree.Subscript(tile.right_panel, place) for place in places))
        return add_outer_product(lefts, rights, self._sums, self._names.inner())

    def _left(self, within: int) -> tree.Access:
        tile = self._tile
        start = self._in_panel(self._row, tile.sizes.rows, within)
        return tree.Access(Pointer(tile.vector, AddressSpace.PRIVATE), index.add(tile.left_panel, start))

    def _in_panel(self, block: tree.Expression, size: int, within: int) -> tree.Expression:
        return self._tile.place(block, size, self._depth, index.constant(within))

    # -- the update ----------------------------------------------------------------------------------------------------

    def _update(self) -> tree.Statements:
        """Whole vectors where all of the block exists and its rows are neighbours, otherwise single entries."""
        tile = self._tile
        if not tile.target.across.is_run(tile.sizes.width) or _is_at_run_time(tile.product.beta):
            return self._update_entries()
        missing = [
            tree.Binary(tree.BinaryOperator.LESS_EQUAL, index.add(start, index.constant(size)), count)
            for start, size, count in (
                (self._row, tile.sizes.rows, tile.rows),
                (self._column, tile.sizes.columns, tile.columns),
            )
            if not isinstance(count, tree.Integer) or count.value % size
        ]
        statements = self._for_each_share(self._update_vectors)
        for condition in missing:
            statements = (tree.If(condition, statements, self._update_entries()),)
        return statements

    def _update_vectors(self, product: ViewProduct) -> tree.Statements:
        """All vectors of the block; of one whose first rows were in the one before, maybe only those that are new."""
        sizes, order = self._tile.sizes, self._tile.target.across.order
        vectors, columns = range(sizes.vectors), range(sizes.columns)
        if not self._minds_twice(product):
            return tuple(self._part(product, vector, column) for column in columns for vector in vectors)
        new = [(order.twice + first, count) for first, count in powers(sizes.width - order.twice)]
        last = index.constant(order.run - order.width)
        return tuple(
            tree.If(
                tree.Binary(tree.BinaryOperator.EQUAL, self._in_run(index.constant(vector * sizes.width)), last),
                tuple(self._part(product, vector, column, *lanes) for column in columns for lanes in new),
                tuple(self._part(product, vector, column) for column in columns),
            )
            for vector in vectors
        )

    def _part(self, product: ViewProduct, vector: int, column: int, first: int = 0, count: int = 0) -> tree.Statement:
        """The update of so many entries of a vector, from the first on; without a count, of all."""
        tile, width = self._tile, self._tile.sizes.width
        sums: tree.Expression = self._sums.at(vector, column)
        if count:
            sums = tree.Lanes(sums, tuple(range(first, first + count)))
        rows = tile.target.across.at(index.add(self._row, index.constant(vector * width)))
        columns = tile.target.along.at(index.add(self._column, index.constant(column)))
        place = index.add(index.add(rows, columns), index.constant(first))
        type_: Vector | Scalar = tile.product.type
        if count != 1:
            type_ = Vector(tile.product.type, count or width, is_unaligned=True)
        entries = tree.Access(Pointer(type_, AddressSpace.GLOBAL), index.add(tile.target.pointer, place))
        return update(product, entries, sums, tile.context)

    def _minds_twice(self, product: ViewProduct) -> bool:
        """True if rows that come twice may not be stored twice: the second one would add to the first.

        Or it might be in another tile, which overwrites the first with less.
        """
        order, sizes = self._tile.target.across.order, self._tile.sizes
        is_whole = sizes.tiles_down == 1 or sizes.tile_rows % order.run == 0
        return order.twice > 0 and not (is_whole and product.beta.is_number(0))

    def _in_run(self, row: tree.Expression) -> tree.Expression:
        """How far a row of the block is from the start of its run."""
        tile = self._tile
        position = index.total((tile.first_row, self._row, row))
        return index.remainder(position, index.constant(tile.target.across.order.run))

    def _update_entries(self) -> tree.Statements:
        """The sums go to an array first, because only constants choose registers."""
        tile, sizes = self._tile, self._tile.sizes
        pointer = tree.Cast(Pointer(tile.vector, AddressSpace.PRIVATE), self._entries)
        count = sizes.vectors * sizes.columns
        alignment = tile.context.target.vector_bytes
        stores = (
            tree.Assign(tree.Subscript(pointer, index.constant(n)), tree.Subscript(self._sums.array, index.constant(n)))
            for n in range(count)
        )
        array = tree.DeclareArray(
            tile.product.type, self._entries.text, count * sizes.width, AddressSpace.PRIVATE, alignment
        )
        rows = tile.target.across.at(index.add(self._row, self._ii))
        columns = tile.target.along.at(index.add(self._column, self._jj))
        entry = tree.Subscript(tile.target.pointer, index.add(rows, columns))
        value = tree.Subscript(self._entries, index.add(self._ii, index.multiply(index.constant(sizes.rows), self._jj)))
        body = self._for_each_share(lambda product: self._once(product, update(product, entry, value, tile.context)))
        for axis, name, size, start, number_ in (
            (Axis.M, self._ii, sizes.rows, self._row, tile.rows),
            (Axis.N, self._jj, sizes.columns, self._column, tile.columns),
        ):
            stop = index.minimum(index.constant(size), index.subtract(number_, start))
            body = (tile.loop(axis, name, (index.ZERO, stop, index.ONE), body),)
        return array, *stores, *body

    def _once(self, product: ViewProduct, statement: tree.Statement) -> tree.Statements:
        """The update of an entry, unless its row comes twice and the second time would add to the first."""
        order = self._tile.target.across.order
        if not self._minds_twice(product):
            return (statement,)
        place, last = self._in_run(self._ii), order.run - order.width
        is_new = (
            tree.Binary(tree.BinaryOperator.LESS, place, index.constant(last)),
            tree.Binary(tree.BinaryOperator.LESS_EQUAL, index.constant(last + order.twice), place),
        )
        return (tree.If(tree.Binary(tree.BinaryOperator.BIT_OR, *is_new), (statement,)),)

    def _for_each_share(self, make: Callable[[ViewProduct], tree.Statements]) -> tree.Statements:
        """The first panels bring beta, those behind them add to what these have written."""
        tile = self._tile
        later = replace(tile.product, beta=tl.TypedScalar(tl.FloatConstant(1.0), tile.product.beta.type))
        if tile.start == index.ZERO or tile.product.beta.is_number(1):
            return make(tile.product)
        is_first = tree.Binary(tree.BinaryOperator.EQUAL, tile.start, index.ZERO)
        return (tree.If(is_first, make(tile.product), make(later)),)


def _is_at_run_time(scalar: tl.TypedScalar) -> bool:
    return isinstance(scalar.value, tl.Local)
