"""Panels: copies of a block of a factor, in the order in which the innermost loop reads them.

    for (int i = 0; i < rows; i += 8)
        for (int k = 0; k < depths; ++k)
            panel[256 * i + 8 * k … + 7] = the rows i to i + 7 of depth k

Rows that the tile does not have are copies of its last one, so that the innermost loop needs to know nothing of them:
what it makes of them is not stored.
"""

from collections.abc import Iterator
from dataclasses import replace

from tl_backend.opencl import index
from tl_backend.opencl.names import Names
from tl_backend.opencl.tiles.tile import Matrix, Tile
from tl_backend.opencl.tree import (
    AddressSpace,
    Assign,
    Call,
    Cast,
    DeclareArray,
    Evaluate,
    Expression,
    For,
    Name,
    Pointer,
    Statement,
    Statements,
    Subscript,
    Unary,
    UnaryOperator,
)


def copy_left(tile: Tile) -> Statements:
    """The rows of the tile."""
    return _copy(tile, tile.left, tile.left_panel, tile.rows, tile.sizes.rows, "i")


def copy_right(tile: Tile) -> Statements:
    """The columns of the tile."""
    return _copy(tile, tile.right, tile.right_panel, tile.columns, tile.sizes.columns, "j")


def _copy(tile: Tile, matrix: Matrix, panel: Name, count: Expression, size: int, word: str) -> Statements:
    copy = _Copy(tile, matrix, panel, count, size, tile.context.inner().names, word)
    return copy.statements()


class _Copy:
    """The copies of one panel, `size` rows (or columns) of `count` at a time."""

    def __init__(
        self, tile: Tile, matrix: Matrix, panel: Name, count: Expression, size: int, names: Names, word: str
    ) -> None:
        self._tile, self._matrix, self._panel, self._count, self._size = tile, matrix, panel, count, size
        self._block, self._depth, self._within, self._lines = (
            Name(names.fresh(each)) for each in (word, "k", word * 2, "lines")
        )

    def statements(self) -> Statements:
        """The loops over blocks of rows and over depths: the inner one is that along which the memory runs."""
        matrix, width = self._matrix, self._tile.sizes.width
        rest = self._entries(self._guarded(), 0, self._size)
        run = next((size for size in (self._size, width) if self._size % size == 0 and matrix.across.is_run(size)), 1)
        full = tuple(each for first in range(0, self._size, run) for each in self._run(first, run))
        if run > 1:
            return self._over_depths(self._over_blocks(full, rest))
        can_turn = self._size % width == 0 and matrix.along.is_run(width)
        along = self._turned(full) if can_turn else self._over_depths(full)
        return self._over_blocks(along, self._over_depths(rest))

    def _run(self, first: int, size: int) -> Statements:
        """The rows of a block at one depth from the first on, which are neighbours in memory."""
        row = self._matrix.across.at(index.add(self._block, index.constant(first)))
        return self._entries(self._entry(index.add(row, self._within) if size > 1 else row), first, size)

    def _over_blocks(self, full: Statements, rest: Statements) -> Statements:
        """The loop over the blocks of rows, and one over the last if the tile does not fill it.

        Not one loop with a condition: Intel's compiler of 2026 merges the copies of both branches, and crashes or makes
        wrong code.
        """
        size, block, count = index.constant(self._size), self._block, self._count
        stop = index.subtract(count, index.remainder(count, size))
        ranges = (index.ZERO, stop, full), (stop, count, rest)
        counter = self._tile.counter
        return tuple(For(counter, block.text, start, end, size, body) for start, end, body in ranges if start != end)

    def _over_depths(self, body: Statements, start: Expression = index.ZERO) -> Statements:
        if start == self._tile.depths:
            return ()
        return (For(self._tile.counter, self._depth.text, start, self._tile.depths, index.ONE, body),)

    def _turned(self, entries: Statements) -> Statements:
        """The depths of a block: squares of entries turned around in registers, and what is left."""
        tile, width = self._tile, index.constant(self._tile.sizes.width)
        stop = index.subtract(tile.depths, index.remainder(tile.depths, width))
        if stop == index.ZERO:
            return self._over_depths(entries)
        squares = range(0, self._size, width.value)
        array = DeclareArray(tile.vector, self._lines.text, width.value, AddressSpace.PRIVATE)
        body = array, *(statement for first in squares for statement in self._turn(first))
        loop = For(tile.counter, self._depth.text, index.ZERO, stop, width, body)
        return loop, *self._over_depths(entries, stop)

    def _turn(self, first: int) -> Iterator[Statement]:
        """Vectors along the depths of as many rows become vectors along the rows."""
        tile, width = self._tile, self._tile.sizes.width
        memory = Pointer(replace(tile.vector, is_unaligned=True), AddressSpace.GLOBAL, is_const=True)
        kept = Pointer(tile.vector, AddressSpace.PRIVATE)
        for line in range(width):
            row = self._matrix.across.at(index.add(self._block, index.constant(first + line)))
            address = index.add(self._matrix.pointer, index.add(self._matrix.along.at(self._depth), row))
            vector = Unary(UnaryOperator.DEREFERENCE, Cast(memory, address))
            yield Assign(Subscript(self._lines, index.constant(line)), vector)
        yield Evaluate(Call(tile.transpose, (self._lines,)))
        for line in range(width):
            place = self._place(index.add(self._depth, index.constant(line)), index.constant(first))
            vector = Unary(UnaryOperator.DEREFERENCE, Cast(kept, index.add(self._panel, place)))
            yield Assign(vector, Subscript(self._lines, index.constant(line)))

    def _entries(self, entry: Expression, first: int, size: int) -> Statements:
        """Rows of a block at one depth, from the first on."""
        within = index.add(index.constant(first), self._within) if size > 1 else index.constant(first)
        copy = Assign(Subscript(self._panel, self._place(self._depth, within)), entry)
        if size == 1:
            return (copy,)
        stop = index.constant(size)
        return (For(self._tile.counter, self._within.text, index.ZERO, stop, index.ONE, (copy,), is_unrolled=True),)

    def _guarded(self) -> Expression:
        last = index.subtract(self._count, index.ONE)
        row = Call("min", (index.add(self._block, self._within), last))
        return self._entry(self._matrix.across.at(row))

    def _entry(self, row: Expression) -> Expression:
        return Subscript(self._matrix.pointer, index.add(self._matrix.along.at(self._depth), row))

    def _place(self, depth: Expression, within: Expression) -> Expression:
        """Where an entry is in the panel."""
        block = index.multiply(index.constant(self._tile.sizes.room), self._block)
        return index.total((block, index.multiply(index.constant(self._size), depth), within))
