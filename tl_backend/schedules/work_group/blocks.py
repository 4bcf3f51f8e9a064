"""Collective instructions as loops over blocks of the result, which the work-items share.

    for every block of columns, for every block of rows:       spread over the work-items
        the tile of the result (see `tile`)

What does not fill a block is a smaller block if sizes are known, else single entries.

Positions that the work-items of a group share, in loops of a known number of steps.

for (int t = 0; t < 12; ++t) {                             unrolled
    int x = item_row + 14 * item_column + 196 * t;
    A_near[x] = A[x];
}
if (item_row + 14 * item_column < 40) { … }

A GPU has many loads on their way at a time if the compiler sees that there are so many: where each step asks whether it
is the last one, the next load waits for the store.
"""

from collections.abc import Callable, Iterator
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.lowering.product import ViewProduct
from einsum_front.tl_backend.schedules.work_group.context import Blocking, GroupContext
from einsum_front.tl_backend.schedules.work_group.elements import Items
from einsum_front.tl_backend.schedules.work_group.register_blocks import Part, split
from einsum_front.tl_backend.schedules.work_group.tile import Frame, Tile, lower_tile, make_frame
from einsum_front.tl_backend.semantics import Axis


@dataclass(frozen=True, slots=True)
class Stretch:
    """The positions from `start` below `stop` of a loop, in blocks of `size`, which divides their number."""

    start: tree.Expression
    stop: tree.Expression
    size: int


@dataclass(frozen=True, slots=True)
class Share:
    """A loop is shared by `count` work-items, of which this is number `item`."""

    count: int
    item: tree.Expression


NOT_SHARED = Share(1, index.ZERO)
"""One work-item runs the whole loop."""

MakeBlock = Callable[[tree.Expression, int], tree.Statements]
"""Makes the statements of a block from its start and its size."""


def lower_blocks(product: ViewProduct, blocking: Blocking, context: GroupContext) -> tree.Statements:
    """The loops of a collective instruction, shared by the work-items of the context."""
    frame, items = make_frame(product, context), context.items
    if (extent := _spread_extent(frame)) is not None:
        return _spread_entries(frame, extent)
    match product.target.axes:
        case ():
            body = lower_tile(Tile(index.ZERO, index.ZERO, 1, 1), frame)
            return (_scope(body),) if items.count == 1 else context.once(body)
        case (Axis.M,):
            return _over_rows(blocking.rows, Share(items.count, items.number), frame, index.ZERO, 1)
        case _:  # open: two parallel axes, whichever they are
            return _matrix(blocking, frame)


def _spread_extent(frame: Frame) -> int | None:
    """The entries of a result without sums that the work-items of a GPU share, if their number is known."""
    product, context = frame.product, frame.context
    if context.target.is_cpu or context.items.count == 1 or product.is_sum or frame.counter is not Scalar.I32:
        return None
    sizes = [product.extent(loop) for loop in product.target.axes]
    known = [size.value for size in sizes if isinstance(size, tree.Integer)]
    return prod(known) if sizes and len(known) == len(sizes) else None


def _spread_entries(frame: Frame, extent: int) -> tree.Statements:
    """Each entry by one work-item, those beside each other by work-items beside each other."""
    rows = frame.product.extent(Axis.M)

    def entry(x: tree.Name) -> tree.Statements:
        if Axis.N not in frame.product.target.axes:
            return lower_tile(Tile(x, index.ZERO, 1, 1), frame)
        return lower_tile(Tile(index.remainder(x, rows), index.divide(x, rows), 1, 1), frame)

    return spread(extent, frame.context.items, frame.context.names, entry)


def _matrix(blocking: Blocking, frame: Frame) -> tree.Statements:
    items = frame.context.items
    row_share, column_share = Share(items.rows, items.row), Share(items.columns, items.column)

    def column_block(column: tree.Expression, columns: int) -> tree.Statements:
        return _over_rows(blocking.rows, row_share, frame, column, columns)

    return _over(Axis.N, blocking.columns, column_share, frame, column_block)


def _over_rows(size: int, share: Share, frame: Frame, column: tree.Expression, columns: int) -> tree.Statements:
    """The rows of a block of columns.

    Work-items beside each other take rows beside each other, which a GPU reads at once: the rows of one are as far
    apart as there are items. What does not give each item a block is shared row by row.
    """

    def tile(row: tree.Expression, rows: int) -> tree.Statements:
        return lower_tile(Tile(row, column, rows, columns, share.count), frame)

    if share.count == 1:
        return _over(Axis.M, size, share, frame, tile)
    extent = frame.product.extent(Axis.M)
    blocks = index.subtract(extent, index.remainder(extent, index.constant(size * share.count)))
    full = index.ZERO if size == 1 else blocks
    parts = Stretch(index.ZERO, full, size), Stretch(full, extent, 1)
    return tuple(_interleaved(part, share, frame, tile) for part in parts if part.start != part.stop)


def _interleaved(part: Stretch, share: Share, frame: Frame, block: MakeBlock) -> tree.Statement:
    return _loop(Axis.M, part, index.add(part.start, share.item), share, frame, block)


def _over(axis: Axis, size: int, share: Share, frame: Frame, block: MakeBlock) -> tree.Statements:
    """A loop over the full blocks, then one over the rest."""
    parts = stretches(frame.product.extent(axis), size)
    return tuple(loop_over(axis, part, share, frame, block) for part in parts)


def loop_over(axis: Axis, part: Stretch, share: Share, frame: Frame, block: MakeBlock) -> tree.Statement:
    """The blocks of a stretch, without a loop if there is one."""
    size = index.constant(part.size)
    if share.count == 1 and index.subtract(part.stop, part.start) == size:
        return _scope(block(part.start, part.size))
    return _loop(axis, part, index.add(part.start, index.multiply(size, share.item)), share, frame, block)


def _loop(
    axis: Axis, part: Stretch, start: tree.Expression, share: Share, frame: Frame, block: MakeBlock
) -> tree.Statement:
    step = index.constant(part.size * share.count)
    return frame.loop(axis, (start, part.stop, step), _flat(block(frame.variable(axis), part.size)))


def _scope(body: tree.Statements) -> tree.Statement:
    """The statements as one, with a scope for what they declare."""
    return body[0] if len(body) == 1 and isinstance(body[0], tree.Block | tree.For) else tree.Block(body)


def _flat(body: tree.Statements) -> tree.Statements:
    """The statements without a scope around them, where there is one already."""
    return body[0].body if len(body) == 1 and isinstance(body[0], tree.Block) else body


def stretches(extent: tree.Expression, size: int) -> tuple[Stretch, ...]:
    """The whole extent: full blocks first, then the rest, as one block if its size is known."""
    rest = index.remainder(extent, index.constant(size))
    full = index.subtract(extent, rest)
    parts = Stretch(index.ZERO, full, size), Stretch(full, extent, rest.value if isinstance(rest, tree.Integer) else 1)
    return tuple(part for part in parts if part.start != part.stop)


# -- work distribution -------------------------------------------------------------------------------------------------


UNROLLED = 16
"""Steps that are unrolled together."""


def spread(extent: int, items: Items, names: Names, body: Callable[[tree.Name], tree.Statements]) -> tree.Statements:
    """The body for every position below the extent; the work-items take positions beside each other."""
    steps, rest = divmod(extent, items.count)
    names = names.inner()
    position, step, first = (tree.Name(names.fresh(word)) for word in ("entry", "turn", "first_turn"))

    def at(number: tree.Expression) -> tree.Statements:
        place = index.add(items.number, index.multiply(index.constant(items.count), number))
        return tree.Declare(Scalar.I32, position.text, place), *body(position)

    return (*_loops(split(steps, UNROLLED) if steps else (), step, first, at), *_rest(rest, steps, items, at))


def _loops(
    parts: tuple[Part, ...], step: tree.Name, first: tree.Name, at: Callable[[tree.Expression], tree.Statements]
) -> Iterator[tree.Statement]:
    for part in parts:
        start, size = index.constant(part.start), index.constant(part.size)
        if part.pieces == 1:
            yield _unrolled(step, part.size, at(index.add(start, step)))
        else:
            inner = _unrolled(step, part.size, at(index.add(first, step)))
            yield tree.For(Scalar.I32, first.text, start, index.constant(part.stop), size, (inner,))


def _unrolled(step: tree.Name, size: int, body: tree.Statements) -> tree.Statement:
    return tree.For(Scalar.I32, step.text, index.ZERO, index.constant(size), index.ONE, body, tree.Unroll.FULLY)


def _rest(
    rest: int, steps: int, items: Items, at: Callable[[tree.Expression], tree.Statements]
) -> Iterator[tree.Statement]:
    if rest:
        yield tree.If(
            tree.Binary(tree.BinaryOperator.LESS, items.number, index.constant(rest)), at(index.constant(steps))
        )
