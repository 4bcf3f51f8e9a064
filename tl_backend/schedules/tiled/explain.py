"""The plan of a tiled contraction as lines of text."""

from collections.abc import Iterator

from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, PART, Sizes
from einsum_front.tl_backend.schedules.tiles.axis import shown


def explain(contraction: Contraction, sizes: Sizes) -> Iterator[str]:
    """From the outermost loop to the innermost."""
    orders = sizes.orders
    if contraction.shared:
        yield f"shared by all tensors, bound to work-groups: {shown(contraction.shared)}"
    for word, order, tiles, edge in (
        ("rows", orders.rows, sizes.down, sizes.tile_rows),
        ("columns", orders.columns, sizes.across, sizes.tile_columns),
    ):
        yield f"{word}: {shown(order.indices)}, in {tiles} tiles of {edge}, bound to work-groups"
    indent = ""
    if orders.depths.count > PART:
        yield f"for each {PART} of the depths, whose sums are added to those of all"
        indent = "  "
    yield f"{indent}for each {ITEMS} of the depths {shown(orders.depths.indices)}"
    yield f"{indent}  copy {sizes.tile_rows} rows and {sizes.tile_columns} columns into local memory"
    if contraction.turn:
        yield f"{indent}    parts of complex numbers are the rows: read at odd depths as the imaginary unit times them"
    matrices = sizes.matrices
    if matrices is None:
        block = f"{sizes.rows} rows x {sizes.columns} columns in registers"
        yield f"{indent}  {ITEMS} x {ITEMS} work-items: {block} each"
    else:
        part = f"{sizes.tile_rows // matrices.down} rows x {sizes.tile_columns // matrices.across} columns"
        yield f"{indent}  {matrices.down} x {matrices.across} sub-groups: {part} each"
        by = matrices.instruction
        factors = f"{by.rows} x {by.depth} and {by.depth} x {by.columns}"
        yield f"{indent}    matrices of {factors} by tensor cores, sums in registers"
