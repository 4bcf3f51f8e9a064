"""In which order the indices of a contraction follow each other, and along which of them work-items copy."""

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.schedules.tiles import axis
from einsum_front.tl_backend.schedules.tiles.axis import Order, Tensor, ordered


@dataclass(frozen=True, slots=True)
class Orders:
    """The indices of rows, columns and depths, each as one."""

    rows: Order
    columns: Order
    depths: Order

    def is_along(self, order: Order, tensor: Tensor) -> bool:
        """True if work-items beside each other copy neighbours in this order, not in that of the depths."""
        depths = self.depths.indices
        if depths and tensor(depths[0]) == 1:
            return False
        return bool(order.indices) and (tensor(order.indices[0]) == 1 or not depths)


def choose_orders(contraction: Contraction) -> Orders:
    """Rows along the memory of the target, columns along that of the right factor, depths along either of them."""
    rows, columns, depths = contraction.rows, contraction.columns, contraction.depths
    only_right = any(each.right == 1 for each in depths) and all(each.left != 1 for each in depths)
    first, second = (axis.right, axis.left) if only_right else (axis.left, axis.right)
    return Orders(
        Order(ordered(rows, axis.target, axis.left, axis.left)),
        Order(ordered(columns, axis.right, axis.target, axis.right)),
        Order(ordered(depths, first, second, first)),
    )
