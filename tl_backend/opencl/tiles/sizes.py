"""How large the blocks of a contraction are: in registers, in panels, and for each work-group."""

from dataclasses import dataclass

from tl_backend.analysis.contraction import Contraction, size
from tl_backend.opencl.scalar import REGISTER
from tl_backend.opencl.target import Target, size_of

DEPTH = 256
"""Most depths in a panel: a row of registers and a column of them stay in the first cache."""

EDGE = 192
"""Most rows and columns in a tile: both panels stay in the second cache, and each entry of them is used often."""

MANY_MULTIPLICATIONS = 2**22
"""A target with more is cut into `PARTS` tiles at least, for that many cores are common and worth their start."""

PARTS = 8


@dataclass(frozen=True, slots=True)
class Sizes:
    """A block in registers has `vectors` of rows times `columns`; a tile of `tile_rows` times `tile_columns`.

    Panels hold `depth` depths; there are `tiles_down` times `tiles_across` tiles, of which the last may be smaller.
    """

    width: int
    vectors: int
    columns: int
    depth: int
    tile_rows: int
    tile_columns: int
    tiles_down: int
    tiles_across: int

    @property
    def rows(self) -> int:
        """Rows of a block in registers."""
        return self.width * self.vectors


def choose_sizes(contraction: Contraction, target: Target) -> Sizes:
    """Blocks that fill the vector registers, panels that fill the caches, and tiles for all cores."""
    rows, columns, depths = size(contraction.rows), size(contraction.columns), size(contraction.depths)
    width = target.vector_width(REGISTER[contraction.element])
    vectors, most_columns = _registers(target)
    vectors = min(vectors, _over(rows, width))
    block_columns = min(range(most_columns, 3, -1), key=lambda count: _over(columns, count) * count)
    down, across = _over(rows, EDGE), _over(columns, EDGE)
    if contraction.multiplications > MANY_MULTIPLICATIONS:
        down, across = _cut(down, across, rows, columns, size(contraction.shared))
    tile_rows = _round_up(_over(rows, down), width * vectors)
    tile_columns = _round_up(_over(columns, across), block_columns)
    return Sizes(
        width=width,
        vectors=vectors,
        columns=block_columns,
        depth=_over(depths, _over(depths, DEPTH)),
        tile_rows=tile_rows,
        tile_columns=tile_columns,
        tiles_down=_over(rows, tile_rows),
        tiles_across=_over(columns, tile_columns),
    )


def _registers(target: Target) -> tuple[int, int]:
    """Vectors of rows and columns of sums, so that those and what they are made of fit into the vector registers.

    Sixteen registers, or thirty-two where vectors have 64 bytes.
    """
    return (3, 8) if target.vector_bytes >= 64 else (2, 6)


def _cut(down: int, across: int, rows: int, columns: int, shared: int) -> tuple[int, int]:
    """More tiles, always across the longer edge, until there are enough."""
    while down * across * shared < PARTS:
        if rows * across >= columns * down:
            down += 1
        else:
            across += 1
    return down, across


def _over(number: int, divisor: int) -> int:
    return -(-number // divisor)


def _round_up(number: int, multiple: int) -> int:
    return _over(number, multiple) * multiple


def panel_bytes(sizes: Sizes, contraction: Contraction) -> int:
    """Memory of both panels."""
    entries = (sizes.tile_rows + sizes.tile_columns) * sizes.depth
    return entries * size_of(REGISTER[contraction.element])
