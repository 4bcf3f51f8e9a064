"""Panels: copies of a block of a factor, in the order in which the innermost loop reads them.

    for (int i = 0; i < rows; i += 8)
        for (int k = 0; k < depths; ++k)
            panel[256 * i + 8 * k … + 7] = the rows i to i + 7 of depth k

Rows that the tile does not have are 0, so that the innermost loop needs to know nothing of them.
"""

from tl_backend.opencl import index
from tl_backend.opencl.scalar import number
from tl_backend.opencl.tiles.tile import Matrix, Tile
from tl_backend.opencl.tree import (
    Assign,
    Binary,
    BinaryOperator,
    Conditional,
    Expression,
    For,
    If,
    Integer,
    Name,
    Statement,
    Statements,
    Subscript,
)


def copy_left(tile: Tile) -> Statements:
    """The rows of the tile."""
    return _copy(tile, tile.left, tile.left_panel, tile.rows, tile.sizes.rows, "i")


def copy_right(tile: Tile) -> Statements:
    """The columns of the tile."""
    return _copy(tile, tile.right, tile.right_panel, tile.columns, tile.sizes.columns, "j")


def _copy(tile: Tile, matrix: Matrix, panel: Name, count: Expression, size: int, word: str) -> Statements:
    names = tile.context.inner().names
    block, depth, within = (Name(names.fresh(each)) for each in (word, "k", word * 2))
    size_ = index.constant(size)

    def copies(entry: Expression) -> Statement:
        place = index.multiply(index.constant(tile.sizes.depth), block)
        place = index.total((place, index.multiply(size_, depth), within))
        copy = Assign(Subscript(panel, place), entry)
        inner = For(tile.counter, within.text, index.ZERO, size_, index.ONE, (copy,), is_unrolled=True)
        return For(tile.counter, depth.text, index.ZERO, tile.depths, index.ONE, (inner,))

    def entry(position: Expression) -> Expression:
        return Subscript(matrix.pointer, index.add(matrix.along.at(depth), position))

    full = copies(entry(matrix.across.behind(block, within, size)))
    if isinstance(count, Integer) and count.value % size == 0:
        return (For(tile.counter, block.text, index.ZERO, count, size_, (full,)),)
    exists = Binary(BinaryOperator.LESS, index.add(block, within), count)
    rest = Conditional(exists, entry(matrix.across.at(index.add(block, within))), number(0, tile.product.type))
    is_full = Binary(BinaryOperator.LESS_EQUAL, index.add(block, size_), count)
    choice = If(is_full, (full,), (copies(rest),))
    return (For(tile.counter, block.text, index.ZERO, count, size_, (choice,)),)
