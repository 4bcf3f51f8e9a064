"""Copies of memory that does not run along the rows of a panel: squares of entries, transposed in registers.

    for (int k = 0; k < depths; k += 4) {
        double4 lines[4];
        lines[0] = four depths of row i
        …
        transpose(lines);
        lines[0] are the rows i to i + 3 of depth k
        …
    }

Where a line is no multiple of a vector, its last square starts early enough to end with it: it copies some entries for
the second time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.lowering.vectors import powers
from einsum_front.tl_backend.schedules.packed.tile import Matrix, Tile
from einsum_front.tl_backend.schedules.tiles.axis import Lines
from einsum_front.tl_backend.semantics import Axis

MOST_UNROLLED = 4
"""Squares of a line that are unrolled, so that where they go to is computed once for all depths."""


class Squares:
    """The squares of a panel with blocks of `size` rows (or columns)."""

    def __init__(self, tile: Tile, matrix: Matrix, panel: tree.Name, size: int, names: Names) -> None:
        self._tile, self._matrix, self._panel, self._size = tile, matrix, panel, size
        self._width = tile.sizes.width
        self._start, self._within, self._line, self._first, self._depth, self._lines = (
            tree.Name(names.fresh(word))
            for word in ("start", "within", "line", "first", tile.product.letter(Axis.K), "lines")
        )

    def along(self, lines: Lines, block: tree.Name) -> tree.Statements:
        """The rows of a block, where memory runs along the depths."""
        tile, width, count = self._tile, self._width, _entries(lines, self._tile.depths)
        depth = self._place(lines, tile.depths, count)
        body: list[tree.Statement] = []
        for row in range(0, self._size, width):
            rows = min(width, self._size - row)
            positions = (index.add(block, index.constant(row + number)) for number in range(rows))
            body += self._load([(self._matrix.across.at(position), depth) for position in positions])
            for number in range(width):
                place = index.add(depth, index.constant(lines.distance * number))
                body += self._store(tile.place(block, self._size, place, index.constant(row)), number, rows)
        return self._loops(Axis.K, lines, tile.depths, self._over_line(Axis.K, count, body, most=0))

    def across(self, lines: Lines) -> tree.Statements:
        """All rows of the tile, where memory runs along a later index of them."""
        tile, width, count = self._tile, self._width, _entries(lines, self._tile.rows)
        row = self._place(lines, tile.rows, count)
        rows = (index.add(row, index.constant(number)) for number in range(width))
        body = [*self._load([(self._matrix.across.at(each), self._depth) for each in rows])]
        for number in range(width):
            position = index.add(row, index.constant(lines.distance * number))
            within = index.remainder(position, index.constant(self._size))
            block = index.subtract(position, within)
            body += self._store(tile.place(block, self._size, self._depth, within), number, width)
        inner = self._over_line(Axis.M, count, body, MOST_UNROLLED)
        depths = tile.loop(Axis.K, self._depth, (index.ZERO, tile.depths, index.ONE), inner)
        return self._loops(Axis.M, lines, tile.rows, (depths,), width)

    # -- loops ---------------------------------------------------------------------------------------------------------

    def _place(self, lines: Lines, positions: tree.Expression, count: tree.Expression) -> tree.Expression:
        """The position at which a square starts."""
        start = self._start if self._has_starts(lines, positions) else index.ZERO
        within = self._within if lines.distance > 1 else index.ZERO
        first = self._line if self._is_whole(count) else self._first
        return index.total((start, within, index.multiply(index.constant(lines.distance), first)))

    def _loops(
        self, axis: Axis, lines: Lines, positions: tree.Expression, body: tree.Statements, step: int = 1
    ) -> tree.Statements:
        """The loops over the positions at which lines start."""
        distance = index.constant(lines.distance)
        if lines.distance > 1:
            body = (self._tile.loop(axis, self._within, (index.ZERO, distance, index.constant(step)), body),)
        if lines.count is None or not self._has_starts(lines, positions):
            return body
        again = index.constant(lines.distance * lines.count)
        return (self._tile.loop(axis, self._start, (index.ZERO, positions, again), body),)

    def _over_line(
        self, axis: Axis, count: tree.Expression, squares: Sequence[tree.Statement], most: int
    ) -> tree.Statements:
        """The loop over the squares of a line, of which so many are unrolled at most."""
        is_short = isinstance(count, tree.Integer) and count.value <= most * self._width
        unroll = tree.Unroll.FULLY if is_short else tree.Unroll.AS_THE_COMPILER_LIKES
        array = tree.DeclareArray(self._tile.vector, self._lines.text, self._width, AddressSpace.PRIVATE)
        body = array, *squares
        step, counter = index.constant(self._width), self._tile.counter
        if not self._is_whole(count):
            last = index.minimum(self._line, index.subtract(count, step))
            body = tree.Declare(counter, self._first.text, last), *body
        return (self._tile.loop(axis, self._line, (index.ZERO, count, step), body, unroll),)

    @staticmethod
    def _has_starts(lines: Lines, positions: tree.Expression) -> bool:
        """True if there are lines behind each other."""
        return lines.count is not None and positions != index.constant(lines.distance * lines.count)

    def _is_whole(self, count: tree.Expression) -> bool:
        """True if the squares of a line do not overlap."""
        return isinstance(count, tree.Integer) and count.value % self._width == 0

    # -- a square ------------------------------------------------------------------------------------------------------

    def _load(self, places: list[tuple[tree.Expression, tree.Expression]]) -> Iterator[tree.Statement]:
        """Vectors from where these rows and depths are; where there are fewer than lanes, the last one is repeated."""
        memory = Pointer(replace(self._tile.vector, is_unaligned=True), AddressSpace.GLOBAL, is_const=True)
        for number, (row, depth) in enumerate(places):
            address = index.add(self._matrix.pointer, index.add(self._matrix.along.at(depth), row))
            vector = tree.Access(memory, address)
            yield tree.Assign(tree.Subscript(self._lines, index.constant(number)), vector)
        last = tree.Subscript(self._lines, index.constant(len(places) - 1))
        for number in range(len(places), self._width):
            yield tree.Assign(tree.Subscript(self._lines, index.constant(number)), last)
        yield tree.Call(self._tile.transpose, (self._lines,))

    def _store(self, place: tree.Expression, number: int, lanes: int) -> Iterator[tree.Statement]:
        """The first lanes of a vector, as vectors of powers of two."""
        vector = tree.Subscript(self._lines, index.constant(number))
        for first, count in powers(lanes):
            address = index.add(self._panel, index.add(place, index.constant(first)))
            part = tree.Lanes(vector, tuple(range(first, first + count))) if count < self._width else vector
            type_ = Vector(self._tile.product.type, count, is_unaligned=self._size % self._width > 0)
            if count == 1:
                yield tree.Assign(tree.Subscript(self._panel, index.add(place, index.constant(first))), part)
                continue
            yield tree.Assign(tree.Access(Pointer(type_, AddressSpace.PRIVATE), address), part)


def _entries(lines: Lines, positions: tree.Expression) -> tree.Expression:
    """The entries of a line, among so many positions."""
    if lines.count is None:
        return index.divide(positions, index.constant(lines.distance))
    return index.constant(lines.count)
