"""Instructions that multiply matrices: what a target has, and what a node of the kernel tree asks for."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.storage import ElementType


@dataclass(frozen=True, slots=True)
class MatrixInstruction:
    """`sums += left right` of `rows` x `columns`, `rows` x `depth` and `depth` x `columns` entries of a type.

    The `subgroup` work-items with neighbouring numbers share the entries. `height` of them times `depth` have one entry
    each of `left`: work-item `i` has row `i / depth` and column `i % depth`, and that of `right` with this row as its
    column. Of `height` rows of sums it has `width` neighbours in row `i / depth`, from column `width (i % depth)` on.
    The next `height` rows of `left` and of the sums follow. `right` has as many columns as work-items can hold.
    """

    rows: int
    columns: int
    depth: int
    subgroup: int
    element: ElementType

    @property
    def height(self) -> int:
        """Rows of `left` and of the sums of which the work-items of a sub-group have one entry, or `width`."""
        return self.subgroup // self.depth

    @property
    def width(self) -> int:
        """Neighbouring sums of a work-item."""
        return self.columns // self.depth

    @property
    def entries(self) -> int:
        """Entries of `left` that a work-item has; it has `width` times as many sums, and one of `right`."""
        return self.rows // self.height

    @property
    def is_shared_evenly(self) -> bool:
        """True if the work-items have all entries between them, each as many as the others."""
        parts = self.rows % self.height, self.columns % self.depth, self.subgroup % self.depth
        return not any(parts) and self.columns == self.height

    def __str__(self) -> str:
        return f"{self.rows} x {self.columns} x {self.depth}"
