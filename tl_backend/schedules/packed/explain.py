"""The plan of a packed contraction as lines of text: its tiles, its panels, and the micro-kernel."""

from collections.abc import Iterator

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.opencl.kernel import statement
from einsum_front.tl_backend.schedules.packed.sizes import Sizes
from einsum_front.tl_backend.schedules.tiles.axis import Order, shown

NOT_SHOWN = tl.Load | tl.Store


def explain(contraction: Contraction, sizes: Sizes, epilogue: Epilogue | None = None) -> Iterator[str]:
    """From the outermost loop to the innermost."""
    orders = sizes.orders
    if contraction.shared:
        yield f"shared by all tensors, bound to work-groups: {shown(contraction.shared)}"
    yield f"rows: {_order(orders.rows)}, in {sizes.tiles_down} tiles of {sizes.tile_rows}, bound to work-groups"
    across = f"in {sizes.tiles_across} tiles of {sizes.tile_columns}, bound to work-groups"
    yield f"columns: {_order(orders.columns)}, {across}"
    yield f"for each {sizes.depth} of the depths {_order(orders.depths)}"
    yield f"  pack {sizes.tile_rows} rows of the left factor"
    yield f"  for each {sizes.panel_columns} columns"
    yield "    pack the columns of the right factor"
    yield f"    micro-kernel: {sizes.vectors} vectors of {sizes.width} rows x {sizes.columns} columns in registers"
    if epilogue is not None:
        steps = (statement(each).partition(" = ")[2] for each in epilogue.body if not isinstance(each, NOT_SHOWN))
        yield f"then for each entry of the tile: {'; '.join(steps)}"


def _order(order: Order) -> str:
    twice = f" ({order.twice} of {order.run} computed twice)" if order.twice else ""
    return f"{shown(order.indices)}{twice}"
