"""One tile of the target, and the panels that it is computed from."""

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import semantics
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, Vector
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.lowering.context import Context
from einsum_front.tl_backend.schedules.lowering.product import Bounds, ViewProduct
from einsum_front.tl_backend.schedules.packed.sizes import Sizes
from einsum_front.tl_backend.schedules.tiles.axis import Axis


@dataclass(frozen=True, slots=True)
class Matrix:
    """A tensor as a matrix: a pointer to where the contraction starts; `along` are depths, or columns of the target."""

    pointer: tree.Name
    across: Axis
    along: Axis


@dataclass(frozen=True, slots=True)
class Tile:
    """One tile of the target: `rows`, `columns` and `depths` count what there is of it and of the present panels.

    `left_panel` and `right_panel` are the names of the copies, `start` is the first depth of them and `first_row` the
    first row.
    `transpose` is the function that turns a square of entries around.
    """

    product: ViewProduct
    sizes: Sizes
    context: Context
    counter: Scalar
    left: Matrix
    right: Matrix
    target: Matrix
    rows: tree.Expression
    columns: tree.Expression
    depths: tree.Expression
    first_row: tree.Expression
    start: tree.Expression
    left_panel: tree.Name
    right_panel: tree.Name
    transpose: str

    def loop(
        self,
        axis: semantics.Axis,
        name: tree.Name,
        bounds: Bounds,
        body: tree.Statements,
        unroll: tree.Unroll = tree.Unroll.AS_THE_COMPILER_LIKES,
    ) -> tree.For:
        """A loop along rows, columns or depths."""
        return self.product.loop(axis, self.counter, name.text, bounds, body, unroll)

    @property
    def vector(self) -> Vector:
        """The type of the sums."""
        return Vector(self.product.type, self.sizes.width)

    def place(
        self, block: tree.Expression, size: int, depth: tree.Expression, within: tree.Expression
    ) -> tree.Expression:
        """Where the entry of a depth is in a panel: the one `within` the block of `size` rows (or columns)."""
        start = index.multiply(index.constant(self.sizes.room), block)
        return index.total((start, index.multiply(index.constant(size), depth), within))
