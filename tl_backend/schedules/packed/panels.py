"""Panels: copies of a block of a factor, in the order in which the innermost loop reads them.

    for (int i = 0; i < rows; i += 8)
        for (int k = 0; k < depths; ++k)
            panel[256 * i + 8 * k … + 7] = the rows i to i + 7 of depth k

Rows that the tile does not have are copies of its last one, so that the innermost loop needs to know nothing of them:
what it makes of them is not stored.
"""

from einsum_front.tl_backend import semantics
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.packed.squares import Squares
from einsum_front.tl_backend.schedules.packed.tile import Matrix, Tile


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
        across = matrix.across.lines(width)
        if matrix is tile.left and across is not None and across.distance % width == 0:
            return *squares.across(across), *self._over_blocks((), self._over_depths(rest))
        along = matrix.along.lines(width) if self._needs_squares() else None
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
