"""In which order the rows, columns and depths of a contraction follow each other: the choice of memory to run along."""

from collections.abc import Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import PackedTimes
from einsum_front.tl_backend.analysis.contraction import Contraction, Index, size
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.schedules.tiles import axis
from einsum_front.tl_backend.schedules.tiles.axis import Order, ordered


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of rows, columns and depths."""

    rows: Order
    columns: Order
    depths: Order


def choose_orders(contraction: Contraction, target: Target) -> Orders:
    """Orders for the panels of the target's machine."""
    element, times = REGISTER[contraction.element], target.machine.packed
    rows = _rows(contraction, target.vector_width(element), times)
    depths = Order(_depths(contraction.depths))
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


def _depths(depths: Sequence[Index]) -> tuple[Index, ...]:
    """Along the memory of the left factor, or along that of the right one where only that runs along a depth."""
    only_right = any(each.right == 1 for each in depths) and all(each.left != 1 for each in depths)
    first, second = (axis.right, axis.left) if only_right else (axis.left, axis.right)
    return ordered(depths, first, second, first)
