"""How large the blocks of a contraction are: in registers, in panels, and for each work-group.

In which order the rows, columns and depths of a contraction follow each other: the choice of memory to run along.
"""

from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import PackedTimes
from einsum_front.tl_backend.analysis.contraction import Contraction, size
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.tiles import axis
from einsum_front.tl_backend.schedules.tiles.axis import Fibers, Order, Orders, depths_in_order, find_fibers, ordered
from einsum_front.tl_backend.schedules.tuning import RegisterBlock


def choose_orders(contraction: Contraction, target: Target) -> Orders:
    """Orders for the panels of the target's machine."""
    element, times = REGISTER[contraction.element], target.machine.packed
    rows = _rows(contraction, target.vector_width(element), times)
    depths = depths_in_order(contraction.depths)
    is_long = bool(rows.indices) and rows.run * size_of(element) >= times.long_run
    are_few = rows.count <= times.rows_to_depths * depths.count
    first, second = (axis.right, axis.target) if is_long and are_few else (axis.target, axis.right)
    return Orders(rows, Order(ordered(contraction.columns, first, second, first)), depths)


def _rows(contraction: Contraction, width: int, times: PackedTimes) -> Order:
    """Rows by whole vectors, if storing those saves more time than computing the rows that come twice takes."""
    indices = ordered(contraction.rows, axis.target, axis.left, axis.left)
    if len(indices) < 2 or indices[0].target != 1 or indices[0].extent < width:
        return Order(indices)
    whole = Order(indices, width)
    computed = whole.twice * min(size(contraction.depths), times.depth)
    return whole if computed < times.stored_alone * width * indices[0].extent else Order(indices)


# -- sizes -------------------------------------------------------------------------------------------------------------


MOST_ROWS = 4096
"""Most rows in any tile, a bound on its memory."""

WASTE = 1.05
"""A block may compute so many times the entries that the best one does: larger ones need less code for edges."""

PARTS = 2
"""Tiles for a compute unit, so that one which starts late gets fewer."""

MANY_PARTS = 8
"""From so many tiles for a compute unit on one more or less does not matter."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """A block in registers has `vectors` of `width` rows times `columns`; panels hold `depth` depths.

    There are `tiles_down` times `tiles_across` tiles of `tile_rows` times `tile_columns`, of which the last ones may be
    smaller. The columns of a tile are computed `panel_columns` at a time, and `group_rows` rows with all of these
    before the next rows. `orders` are those of the indices.
    """

    orders: Orders
    width: int
    vectors: int
    columns: int
    depth: int
    tile_rows: int
    group_rows: int
    tile_columns: int
    panel_columns: int
    tiles_down: int
    tiles_across: int

    @property
    def room(self) -> int:
        """Depths that a panel has room for, more than it holds: blocks a power of two apart share few cache lines."""
        return self.depth + self.width

    @property
    def rows(self) -> int:
        """Rows of a block in registers."""
        return self.width * self.vectors

    @property
    def left_rows(self) -> int:
        """Rows that the left panel has room for: those of a tile in whole blocks."""
        return _round_up(self.tile_rows, self.rows)


def choose_sizes(contraction: Contraction, target: Target, block: RegisterBlock | None = None) -> Sizes:
    """Blocks that fill the vector registers, panels that fill the caches, and tiles for all cores.

    A `block` that is given is taken, as far as the target is as large.
    """
    width = target.vector_width(REGISTER[contraction.element])
    times = target.machine.packed
    orders = choose_orders(contraction, target)
    rows, columns = orders.rows.count, orders.columns.count
    vectors, block_columns = _block(rows, columns, width, _registers(target) if block is None else (block,))
    depth = _depth(orders.depths, width, times.depth)
    fiber_rows = _fiber_rows(orders.rows, min(MOST_ROWS, times.rows * times.depth // depth), width, times)
    has_whole_runs = orders.rows.twice > 0 and orders.rows.run <= times.rows
    unit = orders.rows.run if has_whole_runs else width * vectors
    rows_of = _Edge(rows, unit, max(1, times.rows // unit)) if fiber_rows is None else _Edge(rows, fiber_rows, 1)
    columns_of = _Edge(columns, block_columns, max(1, times.columns * times.panels // block_columns))
    if contraction.multiplications > target.machine.launch.element:
        rows_of, columns_of = _spread(rows_of, columns_of, size(contraction.shared), target.compute_units, times)
    tile_rows, tile_columns = rows_of.tile, columns_of.tile
    group_rows = _group_rows(orders, width * vectors, size_of(REGISTER[contraction.element]), times.short_run)
    panels = _over(tile_columns, times.columns)
    return Sizes(
        orders=orders,
        width=width,
        vectors=vectors,
        columns=block_columns,
        depth=depth,
        tile_rows=tile_rows,
        group_rows=min(group_rows or tile_rows, tile_rows),
        tile_columns=tile_columns,
        panel_columns=_round_up(_over(tile_columns, panels), block_columns),
        tiles_down=rows_of.tiles,
        tiles_across=columns_of.tiles,
    )


def _depth(depths: Order, width: int, most: int) -> int:
    """Depths in a panel: whole fibers of both factors if that can be, and few panels of about the same size."""
    if depths.count <= most:
        return _round_up(depths.count, width)

    def badness(depth: int) -> tuple[float, int, bool, int]:
        copies = sum(_copying(find_fibers(depths, tensor, depth, width), width) for tensor in (axis.left, axis.right))
        return copies, _over(depths.count, depth), depth % width > 0, depth

    return min(range(most // 2, most + 1), key=badness)


def _copying(fibers: Fibers | None, width: int) -> float:
    """How long copying an entry takes: a square has `width` of each fiber, which takes as long as an entry alone."""
    if fibers is None:
        return 1
    return 1 / width if fibers.count is None else (_over(fibers.count, width) + 1) / fibers.count


def _fiber_rows(rows: Order, most: int, width: int, times: PackedTimes) -> int | None:
    """Rows that are whole fibers of the left factor, or equal parts of them, where its memory runs along a later index.

    None if no tile of at most so many rows has any, or if its memory runs along the first index or the depths.
    """
    if not rows.indices or rows.indices[0].left == 1 or rows.run % width:
        return None
    found = {
        number * rows.run: fibers
        for number in range(1, min(most, rows.count) // rows.run + 1)
        if (fibers := find_fibers(rows, axis.left, number * rows.run, width)) is not None
    }
    long = [fit for fit, fibers in found.items() if (fibers.count or fit // rows.run) >= times.line * width] or [*found]
    few = [fit for fit in long if fit <= times.rows] or long[:1]
    return few[-1] if few else None


def _group_rows(orders: Orders, block: int, entry: int, short: int) -> int | None:
    """Rows that are neighbours in the target, where the columns go on behind them.

    None if they have `short` bytes or more.
    """
    if not orders.rows.indices or not orders.columns.indices:
        return None
    row, column = orders.rows.indices[0], orders.columns.indices[0]
    goes_on = column.target == row.target * row.extent
    return _round_up(orders.rows.run, block) if goes_on and row.extent * entry < short else None


def _block(rows: int, columns: int, width: int, fastest: tuple[RegisterBlock, ...]) -> tuple[int, int]:
    """Vectors of rows and columns of sums: the fastest block that wastes little on rows and columns that do not exist.

    Small targets have smaller blocks.
    """
    blocks = [(min(block.rows, _over(rows, width)), min(block.columns, columns)) for block in fastest]
    areas = [_round_up(rows, vectors * width) * _round_up(columns, count) for vectors, count in blocks]
    return next(block for block, area in zip(blocks, areas, strict=True) if area <= WASTE * min(areas))


def _registers(target: Target) -> tuple[RegisterBlock, ...]:
    """Blocks whose sums, and what they are made of, fit into the vector registers, the fastest first."""
    return _LARGE_BLOCKS if target.vector_registers >= 32 else _BLOCKS


_BLOCKS = RegisterBlock(3, 4), RegisterBlock(2, 6)
_LARGE_BLOCKS = RegisterBlock(3, 8), RegisterBlock(2, 12)


@dataclass(frozen=True, slots=True)
class _Edge:
    """Rows or columns, of which a tile has whole units, so many of them at most."""

    count: int
    unit: int
    most: int

    @property
    def tile(self) -> int:
        """The rows or columns of a tile: few tiles of about the same size."""
        units = _over(self.count, self.unit)
        return self.unit * _over(units, _over(units, self.most))

    @property
    def tiles(self) -> int:
        """How many there are."""
        return _over(self.count, self.tile)

    def cut(self) -> "_Edge | None":
        """The same with more tiles, None if these have a single unit."""
        units = self.tile // self.unit
        return replace(self, most=units - 1) if units > 1 else None


def _spread(rows: _Edge, columns: _Edge, shared: int, units: int, times: PackedTimes) -> tuple[_Edge, _Edge]:
    """Tiles for all compute units: few where copies, which every tile makes anew, would take long otherwise."""
    few, more = (_cut(rows, columns, shared, units * parts, units) for parts in (1, PARTS))

    def time(down: _Edge, across: _Edge) -> int:
        turns = _over(down.tiles * across.tiles * shared, units)
        return turns * (down.tile * across.tile + times.copied * (down.tile + across.tile))

    return few if time(*few) <= times.fewer_tiles * time(*more) else more


def _cut(rows: _Edge, columns: _Edge, shared: int, least: int, units: int) -> tuple[_Edge, _Edge]:
    """At least so many tiles, cut across the longer edge, until all compute units have about the same number."""
    while (number := rows.tiles * columns.tiles * shared) < least or (number % units and number < MANY_PARTS * units):
        fewer_rows, fewer_columns = rows.cut(), columns.cut()
        if fewer_rows is not None and (rows.tile >= columns.tile or fewer_columns is None):
            rows = fewer_rows
        elif fewer_columns is not None:
            columns = fewer_columns
        else:
            break
    return rows, columns


def _over(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _round_up(number: int, multiple: int) -> int:
    return _over(number, multiple) * multiple


def groups_per_element(sizes: Sizes, contraction: Contraction) -> int:
    """Work-groups: one for each tile, for each position in the indices that all tensors share."""
    return sizes.tiles_down * sizes.tiles_across * size(contraction.shared)


def panel_bytes(sizes: Sizes, contraction: Contraction) -> int:
    """Memory of both panels."""
    entries = (sizes.left_rows + sizes.panel_columns) * sizes.room
    return entries * size_of(REGISTER[contraction.element])
