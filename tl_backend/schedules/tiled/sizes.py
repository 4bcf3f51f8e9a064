"""How large the block of a work-item is, and how many tiles a contraction has."""

from dataclasses import dataclass

from einsum_front.tl_backend.analysis.contraction import Contraction, size
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.tiled.orders import Orders, choose_orders
from einsum_front.tl_backend.schedules.tuning import RegisterBlock, sizes

ITEMS = 16
"""Rows, and columns, of the work-items of a group, and the depths that they copy at a time."""

PART = 1024
"""Depths whose products are added one after the other; more have sums of sums, so that rounding errors stay small."""

BLOCK_BYTES = 256
"""Sums of a work-item: with what they are made of they fit into its registers."""

BLOCKS = sizes("1x1 1x2 1x4 1x8 2x1 2x2 2x4 2x8 4x1 4x2 4x4 4x8 8x1 8x2 8x4 8x8")
"""Rows and columns of the block of a work-item."""

LOADED = 1.0
"""How long a work-item reads an entry of local memory, in multiply-adds."""

AROUND = 2.0
"""How long it takes for a depth besides: barriers, and the offsets of what is copied."""


@dataclass(frozen=True, slots=True)
class Sizes:
    """A work-item has `rows` times `columns` sums; there are `down` times `across` tiles for each shared position."""

    orders: Orders
    rows: int
    columns: int
    down: int
    across: int
    shared: int

    @property
    def tile_rows(self) -> int:
        """Rows of a tile."""
        return ITEMS * self.rows

    @property
    def tile_columns(self) -> int:
        """Columns of a tile."""
        return ITEMS * self.columns

    @property
    def groups(self) -> int:
        """Work-groups of an element."""
        return self.down * self.across * self.shared

    @property
    def entries(self) -> int:
        """Entries of both panels, with a line more of each for rows that are written across."""
        return ITEMS * (self.tile_rows + 1 + self.tile_columns + 1)


def choose_sizes(contraction: Contraction, target: Target, block: RegisterBlock | None = None) -> Sizes:
    """The block with which all tiles are done first, as a simple model of a GPU says; a `block` that is given is taken.

    Large blocks read local memory less often, small ones make tiles for all compute units.
    """
    orders, shared = choose_orders(contraction), size(contraction.shared)
    most = BLOCK_BYTES // size_of(REGISTER[contraction.element])
    blocks = [each for each in BLOCKS if each[0] * each[1] <= most] if block is None else [(block.rows, block.columns)]

    def cut(rows: int, columns: int) -> Sizes:
        down, across = -(-orders.rows.count // (ITEMS * rows)), -(-orders.columns.count // (ITEMS * columns))
        return Sizes(orders, rows, columns, down, across, shared)

    def time(sizes_: Sizes) -> tuple[float, int]:
        turns = max(1.0, sizes_.groups / target.compute_units)
        rows, columns = sizes_.rows, sizes_.columns
        return turns * (rows * columns + LOADED * (rows + columns) + AROUND), rows * columns

    return min((cut(*each) for each in blocks), key=time)
