"""How large the blocks of a contraction are: in registers, in panels, and for each work-group."""

from dataclasses import dataclass

from tl_backend.analysis.contraction import Contraction, size
from tl_backend.opencl.scalar import REGISTER
from tl_backend.opencl.target import Target, size_of
from tl_backend.opencl.tuning import RegisterBlock

DEPTH = 256
"""Most depths in a panel: a block of its rows and one of its columns stay in the first cache."""

ROWS = 384
"""Most rows in a tile: their panel stays in the second cache."""

COLUMNS = 96
"""Most columns in a panel: it stays in the second cache beside the rows, and is soon replaced by the next."""

PANELS = 12
"""Most panels of columns in a tile: the rows are copied once for all of them."""

WASTE = 1.05
"""A block may compute so many times the entries that the best one does."""

MANY_MULTIPLICATIONS = 2**22
"""An element with more is cut into `PARTS` tiles at least: that many cores are common, and each is worth its start."""

PARTS = 8


@dataclass(frozen=True, slots=True)
class Sizes:
    """A block in registers has `vectors` of `width` rows times `columns`; panels hold `depth` depths.

    There are `tiles_down` times `tiles_across` tiles of `tile_rows` times `tile_columns`, of which the last ones may be
    smaller. The columns of a tile are computed `panel_columns` at a time.
    """

    width: int
    vectors: int
    columns: int
    depth: int
    tile_rows: int
    tile_columns: int
    panel_columns: int
    tiles_down: int
    tiles_across: int

    @property
    def room(self) -> int:
        """Depths that a panel has room for: more than it holds, since blocks a power of two apart share few lines."""
        return self.depth + self.width

    @property
    def rows(self) -> int:
        """Rows of a block in registers."""
        return self.width * self.vectors


def choose_sizes(contraction: Contraction, target: Target, block: RegisterBlock | None = None) -> Sizes:
    """Blocks that fill the vector registers, panels that fill the caches, and tiles for all cores.

    A `block` that is given is taken, as far as the target is as large.
    """
    rows, columns, depths = size(contraction.rows), size(contraction.columns), size(contraction.depths)
    width = target.vector_width(REGISTER[contraction.element])
    vectors, block_columns = _block(rows, columns, width, _registers(target) if block is None else (block,))
    down, across = _over(rows, ROWS), _over(columns, COLUMNS * PANELS)
    if contraction.multiplications > MANY_MULTIPLICATIONS:
        down, across = _cut(down, across, rows, columns, size(contraction.shared))
    tile_rows = _round_up(_over(rows, down), width * vectors)
    tile_columns = _round_up(_over(columns, across), block_columns)
    panels = _over(tile_columns, COLUMNS)
    return Sizes(
        width=width,
        vectors=vectors,
        columns=block_columns,
        depth=_round_up(_over(depths, _over(depths, DEPTH)), width),
        tile_rows=tile_rows,
        tile_columns=tile_columns,
        panel_columns=_round_up(_over(tile_columns, panels), block_columns),
        tiles_down=_over(rows, tile_rows),
        tiles_across=_over(columns, tile_columns),
    )


def _block(rows: int, columns: int, width: int, fastest: tuple[RegisterBlock, ...]) -> tuple[int, int]:
    """Vectors of rows and columns of sums: the fastest block that wastes little on rows and columns that do not exist.

    Small targets have smaller blocks.
    """
    blocks = [(min(block.rows, _over(rows, width)), min(block.columns, columns)) for block in fastest]
    areas = [_round_up(rows, vectors * width) * _round_up(columns, count) for vectors, count in blocks]
    return next(block for block, area in zip(blocks, areas, strict=True) if area <= WASTE * min(areas))


def _registers(target: Target) -> tuple[RegisterBlock, ...]:
    """Blocks whose sums, and what they are made of, fit into the vector registers, the fastest first.

    There are sixteen registers, or thirty-two where vectors have 64 bytes.
    """
    return _LARGE_BLOCKS if target.vector_bytes >= 64 else _BLOCKS


_BLOCKS = RegisterBlock(3, 4), RegisterBlock(2, 6)
_LARGE_BLOCKS = RegisterBlock(3, 8), RegisterBlock(2, 12)


def _cut(down: int, across: int, rows: int, columns: int, shared: int) -> tuple[int, int]:
    """More tiles, always across the longer edge, until there are enough and four cores have the same number."""
    while down * across * shared < PARTS or down * across * shared % 4:
        if rows * across >= columns * down:
            down += 1
        else:
            across += 1
    return down, across


def _over(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _round_up(number: int, multiple: int) -> int:
    return _over(number, multiple) * multiple


def groups_per_element(sizes: Sizes, contraction: Contraction) -> int:
    """Work-groups: one for each tile, for each position in the indices that all tensors share."""
    return sizes.tiles_down * sizes.tiles_across * size(contraction.shared)


def panel_bytes(sizes: Sizes, contraction: Contraction) -> int:
    """Memory of both panels."""
    entries = (sizes.tile_rows + sizes.panel_columns) * sizes.room
    return entries * size_of(REGISTER[contraction.element])
