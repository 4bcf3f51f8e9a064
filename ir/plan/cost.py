"""Costs of a step: operations on nonzero entries, operations on boxes, bytes."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent


@dataclass(frozen=True, slots=True)
class Cost:
    """`operations` are on entries that are not zero: a product followed by a sum over P combinations of positions that
    leaves R entries takes 2 P - R, a sum of terms as many as entries meet others, a scaling one an entry unless the
    factor is 1 or -1, a copy none. `executed` are those on the boxes around the entries, which a dense kernel does.
    `read` and `written` are bytes of the boxes.
    """

    operations: Extent = 0
    executed: Extent = 0
    read: Extent = 0
    written: Extent = 0

    @property
    def bytes(self) -> Extent:
        """Bytes that are moved, read and written ones together."""
        return self.read + self.written

    def __add__(self, other: "Cost") -> "Cost":
        return Cost(
            self.operations + other.operations,
            self.executed + other.executed,
            self.read + other.read,
            self.written + other.written,
        )
