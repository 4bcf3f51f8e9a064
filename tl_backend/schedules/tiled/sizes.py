"""How large the block of a work-item is, and how many tiles a contraction has.

In which order the indices of a contraction follow each other, and along which of them work-items copy.
"""

from typing import Literal

from einsum_front.core.dataclass import dataclass
from einsum_front.core.matrices import MatrixInstruction
from einsum_front.tl_backend.analysis.contraction import Contraction, size
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.tiles import axis
from einsum_front.tl_backend.schedules.tiles.axis import Order, Orders, depths_in_order, ordered
from einsum_front.tl_backend.schedules.tuning import RegisterBlock, sizes


def choose_orders(contraction: Contraction) -> Orders:
    """Rows along the memory of the target, columns along that of the right factor, depths along either of them."""
    return Orders(
        Order(ordered(contraction.rows, axis.target, axis.left, axis.left)),
        Order(ordered(contraction.columns, axis.right, axis.target, axis.right)),
        depths_in_order(contraction.depths),
    )


# -- sizes -------------------------------------------------------------------------------------------------------------


ITEMS = 16
"""Rows, and columns, of the work-items of a group, and the depths that they copy at a time."""

PART = 1024
"""Depths whose products are added one after the other; more have sums of sums, so that rounding errors stay small."""

BLOCKS = sizes("1x1 1x2 1x4 1x8 2x1 2x2 2x4 2x8 4x1 4x2 4x4 4x8 8x1 8x2 8x4")
"""Rows and columns of the block of a work-item: with what sums are made of they fit into its registers."""

LARGEST_OF_MATRICES = 8, 8
"""A block that fits where tensor cores multiply: one product of 2000 x 2000 takes .91 of the time on an H200."""

MANY = 1 << 27
"""Multiplications of a batch: a batch of small elements has many of them."""


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a work-item takes for a depth: for each sum, for each row and column, and for barriers and offsets.

    The unit is a multiply-add. Fitted to the times of ten blocks for the 18 contractions of the set `gpu` on an NVIDIA
    H200: what the model takes is within 4% of the fastest on average, and 20% at most.
    """

    sum: float
    edge: float
    around: float

    def time(self, rows: int, columns: int) -> float:
        """For a block."""
        return self.sum * rows * columns + self.edge * (rows + columns) + self.around


ONE_BY_ONE = Pace(sum=1.0, edge=0.5, around=15.0)

OF_MATRICES = Pace(sum=1.33, edge=0.75, around=2.0)
"""Of numbers of f64, which take twice as long one by one."""


@dataclass(frozen=True, slots=True)
class Matrices:
    """The sub-groups of a work-group lie `down` times `across` over its tile and multiply matrices."""

    instruction: MatrixInstruction
    down: int
    across: int


@dataclass(frozen=True, slots=True)
class Sizes:
    """A work-item has `rows` times `columns` sums; there are `down` times `across` tiles for each shared position.

    With `matrices`, sub-groups multiply these, and the sums of a work-item lie as they do. `turn` is that of the
    contraction.
    """

    orders: Orders
    rows: int
    columns: int
    down: int
    across: int
    shared: int
    matrices: Matrices | None = None
    turn: Literal[-1, 0, 1] = 0

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
    def left(self) -> "PanelShape":
        """The panel of the rows."""
        return self._panel(self.orders.rows, axis.left, self.rows, is_complex=self.turn != 0)

    @property
    def right(self) -> "PanelShape":
        """The panel of the columns."""
        return self._panel(self.orders.columns, axis.right, self.columns)

    def _panel(self, order: axis.Order, tensor: axis.Tensor, block: int, *, is_complex: bool = False) -> "PanelShape":
        return PanelShape(block, self.orders.is_along(order, tensor), self.matrices is not None, is_complex)

    @property
    def entries(self) -> int:
        """Entries of both panels."""
        return self.left.entries + self.right.entries


RUN = 2
"""Neighbouring rows (and columns) of a work-item, where it multiplies number by number: they are read as one."""

APART = 4
"""Of matrices, 4 depths of 8 rows are read at a time: they are 4 more than a multiple of 16 apart."""


@dataclass(frozen=True, slots=True)
class PanelShape:
    """How a panel of rows (or columns) lies in local memory, of which a work-item has `block`.

    `is_along`: work-items beside each other copy neighbours of the rows, not of the depths. `for_matrices`: a sub-group
    reads entries of 4 depths and 8 rows at a time. If it `is_complex` it has a row of complex numbers for two depths.
    """

    block: int
    is_along: bool
    for_matrices: bool
    is_complex: bool = False

    @property
    def depths(self) -> int:
        """Rows of memory, one for each depth or for two."""
        return ITEMS // 2 if self.is_complex else ITEMS

    @property
    def copies(self) -> int:
        """Entries that a work-item copies."""
        return self.block * self.depths // ITEMS

    @property
    def edge(self) -> int:
        """Rows of the tile."""
        return ITEMS * self.block

    @property
    def strides(self) -> tuple[int, int]:
        """From one row to the next, and from one depth to the next.

        What is written at a time, and what is read, is in different banks; of 8 bytes, as numbers of f64, there are 16.
        """
        if not self.for_matrices:
            return 1, self.edge + (0 if self.is_along else RUN)
        return (1, self.edge + APART * (ITEMS // self.depths)) if self.is_along else (ITEMS + APART, 1)

    @property
    def entries(self) -> int:
        """Room for it, with what is left empty."""
        row_stride, depth_stride = self.strides
        return self.depths * depth_stride if row_stride == 1 else self.edge * row_stride


def choose_sizes(
    contraction: Contraction, target: Target, block: RegisterBlock | None = None, *, is_alone: bool = True
) -> Sizes:
    """The block with which all tiles are done first, as a simple model of a GPU says; a `block` that is given is taken.

    Large blocks read local memory less often, small ones make tiles for all compute units. Small elements of a batch,
    where it is not alone, do that by themselves.
    """
    orders, shared = choose_orders(contraction), size(contraction.shared)
    element = REGISTER[contraction.element]
    instruction = target.matrices if orders.depths.count >= ITEMS else None
    if instruction is not None and element is not Scalar(instruction.element.value):
        instruction = None
    blocks = BLOCKS if instruction is None else (*BLOCKS, LARGEST_OF_MATRICES)
    if block is not None:
        blocks = ((block.rows, block.columns),)
    if contraction.turn:
        blocks = tuple((max(2, rows), columns) for rows, columns in blocks)

    def cut(rows: int, columns: int) -> Sizes:
        down, across = -(-orders.rows.count // (ITEMS * rows)), -(-orders.columns.count // (ITEMS * columns))
        matrices = None if instruction is None else _matrices(rows, columns, instruction)
        return Sizes(orders, rows, columns, down, across, shared, matrices, contraction.turn)

    elements = 1 if is_alone else max(1, MANY // max(1, contraction.multiplications))

    def time(sizes_: Sizes) -> tuple[float, int]:
        turns = max(1.0, sizes_.groups * elements / target.compute_units)
        pace = OF_MATRICES if sizes_.matrices and not contraction.turn else ONE_BY_ONE
        return turns * pace.time(sizes_.rows, sizes_.columns), sizes_.rows * sizes_.columns

    found = [cut(*each) for each in blocks]
    if contraction.turn:
        found = [each for each in found if each.matrices] or found
    return min(found, key=time)


def _matrices(rows: int, columns: int, by: MatrixInstruction) -> Matrices | None:
    """How sub-groups lie over a tile so that each reads the fewest rows and columns; None if it is too small.

    Fewer rows of more columns: products of 64 x 64 take 0.89 of the time with 4 x 2 sub-groups that 2 x 4 take.
    """
    tile_rows, tile_columns, subgroups = ITEMS * rows, ITEMS * columns, ITEMS**2 // by.subgroup
    found = [
        Matrices(by, down, subgroups // down)
        for down in (8, 4, 2, 1)
        if subgroups % down == 0
        and tile_rows % (by.rows * down) == 0
        and tile_columns % (by.columns * (subgroups // down)) == 0
    ]
    return min(found, key=lambda each: tile_rows // each.down + tile_columns // each.across, default=None)
