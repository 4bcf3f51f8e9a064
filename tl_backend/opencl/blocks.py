"""Collective instructions as loops over blocks of the result, which the work-items share.

    for every block of columns, for every block of rows:       spread over the work-items
        the tile of the result (see `tile`)

What does not fill a block is a smaller block if sizes are known, else single entries.
"""

from collections.abc import Callable
from dataclasses import dataclass

from tl_backend.opencl import index
from tl_backend.opencl.context import Context
from tl_backend.opencl.frame import Frame, Tile, make_frame
from tl_backend.opencl.product import Loop, Product
from tl_backend.opencl.tile import lower_tile
from tl_backend.opencl.tree import (
    Block,
    Expression,
    For,
    Integer,
    Name,
    Scalar,
    Statement,
    Statements,
)


@dataclass(frozen=True, slots=True)
class Blocking:
    """Rows and columns of the result that one work-item computes together."""

    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class Stretch:
    """The positions from `start` below `stop` of a loop, in blocks of `size`, which divides their number."""

    start: Expression
    stop: Expression
    size: int


@dataclass(frozen=True, slots=True)
class Share:
    """A loop is shared by `count` work-items, of which this is number `item`."""

    count: int
    item: Expression


NOT_SHARED = Share(1, index.ZERO)
"""One work-item runs the whole loop."""

MakeBlock = Callable[[Expression, int], Statements]
"""Makes the statements of a block from its start and its size."""


def lower_blocks(product: Product, blocking: Blocking, context: Context) -> Statements:
    """The loops of a collective instruction, shared by the work-items of the context."""
    frame, items = make_frame(product, context), context.items

    def tile(row: Expression, column: Expression, rows: int, columns: int) -> Statements:
        return lower_tile(Tile(row, column, rows, columns), frame)

    match product.result.loops:
        case ():
            body = tile(index.ZERO, index.ZERO, 1, 1)
            return (_scope(body),) if items.count == 1 else context.once(body)
        case (Loop.ROW,):
            share = Share(items.count, items.number)
            return _over(Loop.ROW, blocking.rows, share, frame, lambda row, rows: tile(row, index.ZERO, rows, 1))
        case _:
            return _matrix(blocking, frame, tile)


def _matrix(
    blocking: Blocking, frame: Frame, tile: Callable[[Expression, Expression, int, int], Statements]
) -> Statements:
    items = frame.context.items
    row_share, column_share = Share(items.rows, items.row), Share(items.columns, items.column)

    def column_block(column: Expression, columns: int) -> Statements:
        return _over(Loop.ROW, blocking.rows, row_share, frame, lambda row, rows: tile(row, column, rows, columns))

    return _over(Loop.COLUMN, blocking.columns, column_share, frame, column_block)


def _over(loop: Loop, size: int, share: Share, frame: Frame, block: MakeBlock) -> Statements:
    """A loop over the full blocks, then one over the rest."""
    parts = stretches(frame.product.extent(loop), size)
    return tuple(loop_over(frame.variables[loop.value], part, share, frame.counter, block) for part in parts)


def loop_over(variable: str, part: Stretch, share: Share, counter: Scalar, block: MakeBlock) -> Statement:
    """The blocks of a stretch, without a loop if there is one."""
    size = index.constant(part.size)
    if share.count == 1 and index.subtract(part.stop, part.start) == size:
        return _scope(block(part.start, part.size))
    start = index.add(part.start, index.multiply(size, share.item))
    step = index.constant(part.size * share.count)
    return For(counter, variable, start, part.stop, step, _flat(block(Name(variable), part.size)))


def _scope(body: Statements) -> Statement:
    """The statements as one, with a scope for what they declare."""
    return body[0] if len(body) == 1 and isinstance(body[0], Block | For) else Block(body)


def _flat(body: Statements) -> Statements:
    """The statements without a scope around them, where there is one already."""
    return body[0].body if len(body) == 1 and isinstance(body[0], Block) else body


def stretches(extent: Expression, size: int) -> tuple[Stretch, ...]:
    """The whole extent: full blocks first, then the rest, as one block if its size is known."""
    rest = index.remainder(extent, index.constant(size))
    full = index.subtract(extent, rest)
    parts = Stretch(index.ZERO, full, size), Stretch(full, extent, rest.value if isinstance(rest, Integer) else 1)
    return tuple(part for part in parts if part.start != part.stop)
