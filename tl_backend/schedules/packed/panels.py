"""Panels: copies of a block of a factor, in the order in which the innermost loop reads them.

    for (int i = 0; i < rows; i += 8)
        for (int k = 0; k < depths; ++k)
            panel[256 * i + 8 * k … + 7] = the rows i to i + 7 of depth k

Rows that the tile does not have are copies of its last one, so that the innermost loop needs to know nothing of them:
what it makes of them is not stored.

Copies of memory that does not run along the rows of a panel: squares of entries, transposed in registers.

    for (int k = 0; k < depths; k += 4) {
        double4 lines[4];
        lines[0] = four depths of row i
        …
        transpose(lines);
        lines[0] are the rows i to i + 3 of depth k
        …
    }

Where a fiber is no multiple of a vector, its last square starts early enough to end with it: it copies some entries for
the second time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from einsum_front.core.names import Names
from einsum_front.tl_backend import semantics
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.lowering.outer_product import TransposeBlock, powers
from einsum_front.tl_backend.schedules.packed.tile import Matrix, Tile
from einsum_front.tl_backend.schedules.tiles.axis import Fibers
from einsum_front.tl_backend.semantics import Axis


def copy_left(tile: Tile) -> tree.Statements:
    """The rows of the tile."""
    return _Copy(tile, tile.left, tile.left_panel, tile.rows, tile.sizes.rows, semantics.Axis.M).statements()


def copy_right(tile: Tile) -> tree.Statements:
    """The columns of the tile."""
    return _Copy(tile, tile.right, tile.right_panel, tile.columns, tile.sizes.columns, semantics.Axis.N).statements()


class _Copy:
    """The copies of one panel, `size` rows (or columns) of `count` at a time."""

    def __init__(
        self, tile: Tile, matrix: Matrix, panel: tree.Name, count: tree.Expression, size: int, axis: semantics.Axis
    ) -> None:
        self._tile, self._matrix, self._panel, self._count, self._size = tile, matrix, panel, count, size
        self._names, self._axis = tile.context.inner().names, axis
        words = tile.product.letter(axis), tile.product.letter(semantics.Axis.K), tile.product.letter(axis) * 2
        self._block, self._depth, self._within = (tree.Name(self._names.fresh(each)) for each in words)

    def statements(self) -> tree.Statements:
        """The loops over blocks of rows and over depths: the inner one is that along which the memory runs."""
        tile, matrix, width = self._tile, self._matrix, self._tile.sizes.width
        rest = self._entries(self._guarded(), 0, self._size)
        run = next((size for size in (self._size, width) if self._size % size == 0 and matrix.across.is_run(size)), 1)
        full = tuple(each for first in range(0, self._size, run) for each in self._run(first, run))
        if run > 1:
            return self._over_depths(self._over_blocks(full, rest))
        squares = Squares(tile, matrix, self._panel, self._size, self._names)
        across = matrix.across.fibers(width)
        if matrix is tile.left and across is not None and across.distance % width == 0:
            return *squares.across(across), *self._over_blocks((), self._over_depths(rest))
        along = matrix.along.fibers(width) if self._needs_squares() else None
        inner = self._over_depths(full) if along is None else squares.along(along, self._block)
        return self._over_blocks(inner, self._over_depths(rest))

    def _needs_squares(self) -> bool:
        """True if squares are better than single entries, where memory runs along the depths.

        Without a table of depths, compilers turn the loop over them around by themselves, and that of PoCL 3.0 does it
        better than we do for blocks with fewer columns than lanes.
        """
        return self._size % self._tile.sizes.width == 0 or self._matrix.along.table is not None

    def _run(self, first: int, size: int) -> tree.Statements:
        """The rows of a block at one depth from the first on, which are neighbours in memory."""
        row = self._matrix.across.at(index.add(self._block, index.constant(first)))
        return self._entries(self._entry(index.add(row, self._within) if size > 1 else row), first, size)

    def _over_blocks(self, full: tree.Statements, rest: tree.Statements) -> tree.Statements:
        """The loop over the blocks of rows, and one over the last if the tile does not fill it.

        Not one loop with a condition: Intel's compiler of 2026 merges the copies of both branches, and crashes or makes
        wrong code.
        """
        size, block, count = index.constant(self._size), self._block, self._count
        stop = index.subtract(count, index.remainder(count, size))
        ranges = (index.ZERO, stop, full), (stop, count, rest)
        return tuple(
            self._tile.loop(self._axis, block, (start, end, size), body)
            for start, end, body in ranges
            if body and start != end
        )

    def _over_depths(self, body: tree.Statements) -> tree.Statements:
        return (self._tile.loop(semantics.Axis.K, self._depth, (index.ZERO, self._tile.depths, index.ONE), body),)

    def _entries(self, entry: tree.Expression, first: int, size: int) -> tree.Statements:
        """Rows of a block at one depth, from the first on."""
        within = index.add(index.constant(first), self._within) if size > 1 else index.constant(first)
        copy = tree.Assign(tree.Subscript(self._panel, self._place(self._depth, within)), entry)
        if size == 1:
            return (copy,)
        bounds = index.ZERO, index.constant(size), index.ONE
        return (self._tile.loop(self._axis, self._within, bounds, (copy,), tree.Unroll.FULLY),)

    def _guarded(self) -> tree.Expression:
        last = index.subtract(self._count, index.ONE)
        row = index.minimum(index.add(self._block, self._within), last)
        return self._entry(self._matrix.across.at(row))

    def _entry(self, row: tree.Expression) -> tree.Expression:
        return tree.Subscript(self._matrix.pointer, index.add(self._matrix.along.at(self._depth), row))

    def _place(self, depth: tree.Expression, within: tree.Expression) -> tree.Expression:
        """Where an entry is in the panel."""
        return self._tile.place(self._block, self._size, depth, within)


# -- squares -----------------------------------------------------------------------------------------------------------


MOST_UNROLLED = 4
"""Squares of a fiber that are unrolled, so that where they go to is computed once for all depths."""


class Squares:
    """The squares of a panel with blocks of `size` rows (or columns)."""

    def __init__(self, tile: Tile, matrix: Matrix, panel: tree.Name, size: int, names: Names) -> None:
        self._tile, self._matrix, self._panel, self._size = tile, matrix, panel, size
        self._width = tile.sizes.width
        self._start, self._within, self._line, self._first, self._depth, array = (
            tree.Name(names.fresh(word))
            for word in ("start", "within", "line", "first", tile.product.letter(Axis.K), "lines")
        )
        self._block = TransposeBlock(array, tile.vector, tile.transpose)

    def along(self, fibers: Fibers, block: tree.Name) -> tree.Statements:
        """The rows of a block, where memory runs along the depths."""
        tile, width, count = self._tile, self._width, _entries(fibers, self._tile.depths)
        depth = self._place(fibers, tile.depths, count)
        body: list[tree.Statement] = []
        for row in range(0, self._size, width):
            rows = min(width, self._size - row)
            positions = (index.add(block, index.constant(row + number)) for number in range(rows))
            body += self._load([(self._matrix.across.at(position), depth) for position in positions])
            for number in range(width):
                place = index.add(depth, index.constant(fibers.distance * number))
                body += self._store(tile.place(block, self._size, place, index.constant(row)), number, rows)
        return self._loops(Axis.K, fibers, tile.depths, self._over_fiber(Axis.K, count, body, most=0))

    def across(self, fibers: Fibers) -> tree.Statements:
        """All rows of the tile, where memory runs along a later index of them."""
        tile, width, count = self._tile, self._width, _entries(fibers, self._tile.rows)
        row = self._place(fibers, tile.rows, count)
        rows = (index.add(row, index.constant(number)) for number in range(width))
        body = [*self._load([(self._matrix.across.at(each), self._depth) for each in rows])]
        for number in range(width):
            position = index.add(row, index.constant(fibers.distance * number))
            within = index.remainder(position, index.constant(self._size))
            block = index.subtract(position, within)
            body += self._store(tile.place(block, self._size, self._depth, within), number, width)
        inner = self._over_fiber(Axis.M, count, body, MOST_UNROLLED)
        depths = tile.loop(Axis.K, self._depth, (index.ZERO, tile.depths, index.ONE), inner)
        return self._loops(Axis.M, fibers, tile.rows, (depths,), width)

    # -- loops ---------------------------------------------------------------------------------------------------------

    def _place(self, fibers: Fibers, positions: tree.Expression, count: tree.Expression) -> tree.Expression:
        """The position at which a square starts."""
        start = self._start if self._has_starts(fibers, positions) else index.ZERO
        within = self._within if fibers.distance > 1 else index.ZERO
        first = self._line if self._is_whole(count) else self._first
        return index.total((start, within, index.multiply(index.constant(fibers.distance), first)))

    def _loops(
        self, axis: Axis, fibers: Fibers, positions: tree.Expression, body: tree.Statements, step: int = 1
    ) -> tree.Statements:
        """The loops over the positions at which fibers start."""
        distance = index.constant(fibers.distance)
        if fibers.distance > 1:
            body = (self._tile.loop(axis, self._within, (index.ZERO, distance, index.constant(step)), body),)
        if fibers.count is None or not self._has_starts(fibers, positions):
            return body
        again = index.constant(fibers.distance * fibers.count)
        return (self._tile.loop(axis, self._start, (index.ZERO, positions, again), body),)

    def _over_fiber(
        self, axis: Axis, count: tree.Expression, squares: Sequence[tree.Statement], most: int
    ) -> tree.Statements:
        """The loop over the squares of a fiber, of which so many are unrolled at most."""
        is_short = isinstance(count, tree.Integer) and count.value <= most * self._width
        unroll = tree.Unroll.FULLY if is_short else tree.Unroll.AS_THE_COMPILER_LIKES
        body: tree.Statements = (self._block.declared, *squares)
        step, counter = index.constant(self._width), self._tile.counter
        if not self._is_whole(count):
            last = index.minimum(self._line, index.subtract(count, step))
            body = tree.Declare(counter, self._first.text, last), *body
        return (self._tile.loop(axis, self._line, (index.ZERO, count, step), body, unroll),)

    @staticmethod
    def _has_starts(fibers: Fibers, positions: tree.Expression) -> bool:
        """True if there are fibers behind each other."""
        return fibers.count is not None and positions != index.constant(fibers.distance * fibers.count)

    def _is_whole(self, count: tree.Expression) -> bool:
        """True if the squares of a fiber do not overlap."""
        return isinstance(count, tree.Integer) and count.value % self._width == 0

    # -- a square ------------------------------------------------------------------------------------------------------

    def _load(self, places: list[tuple[tree.Expression, tree.Expression]]) -> Iterator[tree.Statement]:
        """Vectors from where these rows and depths are; where there are fewer than lanes, the last one is repeated."""
        memory = Pointer(replace(self._tile.vector, is_unaligned=True), AddressSpace.GLOBAL, is_const=True)
        offsets = (index.add(self._matrix.along.at(depth), row) for row, depth in places)
        return self._block.loaded([tree.Access(memory, index.add(self._matrix.pointer, each)) for each in offsets])

    def _store(self, place: tree.Expression, number: int, lanes: int) -> Iterator[tree.Statement]:
        """The first lanes of a vector, as vectors of powers of two."""
        vector = self._block.at(number)
        for first, count in powers(lanes):
            address = index.add(self._panel, index.add(place, index.constant(first)))
            part = tree.Lanes(vector, tuple(range(first, first + count))) if count < self._width else vector
            type_ = Vector(self._tile.product.type, count, is_unaligned=self._size % self._width > 0)
            if count == 1:
                yield tree.Assign(tree.Subscript(self._panel, index.add(place, index.constant(first))), part)
                continue
            yield tree.Assign(tree.Access(Pointer(type_, AddressSpace.PRIVATE), address), part)


def _entries(fibers: Fibers, positions: tree.Expression) -> tree.Expression:
    """The entries of a fiber, among so many positions."""
    if fibers.count is None:
        return index.divide(positions, index.constant(fibers.distance))
    return index.constant(fibers.count)
