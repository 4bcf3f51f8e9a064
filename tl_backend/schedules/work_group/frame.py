"""Loops of one collective instruction, and the block of the result that one work-item computes."""

from collections.abc import Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.view import is_small
from einsum_front.tl_backend.schedules.lowering.product import LETTERS, ViewProduct
from einsum_front.tl_backend.schedules.work_group.context import GroupContext
from einsum_front.tl_backend.semantics import Axis

ROW_IN_TILE, COLUMN_IN_TILE, SUM, LAST = "ii", "jj", "sum", "last"
IN_TILE: Mapping[str, Axis] = {ROW_IN_TILE: Axis.M, COLUMN_IN_TILE: Axis.N}


@dataclass(frozen=True, slots=True)
class Frame:
    """A collective instruction, the type of its counters, and the C name of each variable of its loops."""

    product: ViewProduct
    context: GroupContext
    counter: Scalar
    variables: Mapping[Axis | str, str]

    def over(self, word: Axis | str) -> str:
        """The index of the notation that a loop of this variable runs over, if it is known."""
        axis = word if isinstance(word, Axis) else IN_TILE[word]
        return self.product.letters.get(axis, "")

    def variable(self, word: Axis | str) -> tree.Name:
        """The variable as an expression."""
        return tree.Name(self.variables[word])


def make_frame(product: ViewProduct, context: GroupContext) -> Frame:
    """Counters are `int` where all offsets are known to fit; loops are called as the indices of the notation."""
    context = context.inner()
    letters = {axis: product.letter(axis) for axis in LETTERS}
    inside = {word: letters[axis] * 2 for word, axis in IN_TILE.items()}
    words: tuple[tuple[Axis | str, str], ...] = (*letters.items(), *inside.items(), (SUM, SUM), (LAST, LAST))
    counter = Scalar.I32 if all(map(is_small, product.views)) else Scalar.I64
    return Frame(product, context, counter, {what: context.names.fresh(word) for what, word in words})


@dataclass(frozen=True, slots=True)
class Tile:
    """The block of `rows` times `columns` entries of the result whose first is (`row`, `column`).

    Its rows are `distance` apart. It may reach beyond the rows or columns that `within` says; None for those that it
    does not reach beyond.
    """

    row: tree.Expression
    column: tree.Expression
    rows: int
    columns: int
    distance: int = 1
    within: tuple[int | None, int | None] | None = None

    @property
    def count(self) -> int:
        """Number of entries."""
        return self.rows * self.columns
