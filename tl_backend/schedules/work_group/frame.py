"""Loops of one collective instruction, and the block of the result that one work-item computes."""

from collections.abc import Mapping
from dataclasses import dataclass

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl.view import is_small
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.product import Product
from einsum_front.tl_backend.semantics import Axis

ROW_IN_TILE, COLUMN_IN_TILE, SUM = "ii", "jj", "sum"
WORDS: Mapping[Axis | str, str] = {
    Axis.M: "i", Axis.N: "j", Axis.K: "k", ROW_IN_TILE: ROW_IN_TILE, COLUMN_IN_TILE: COLUMN_IN_TILE, SUM: SUM
}  # fmt: skip
"""The names of the variables of axes and of others, as far as they are free."""


@dataclass(frozen=True, slots=True)
class Frame:
    """A collective instruction, the type of its counters, and the C name of each variable of its loops."""

    product: Product
    context: Context
    counter: Scalar
    variables: Mapping[Axis | str, str]

    def variable(self, word: Axis | str) -> tree.Name:
        """The variable as an expression."""
        return tree.Name(self.variables[word])


def make_frame(product: Product, context: Context) -> Frame:
    """Counters are `int` where all offsets are known to fit."""
    context = context.inner()
    counter = Scalar.I32 if all(map(is_small, product.views)) else Scalar.I64
    return Frame(product, context, counter, {what: context.names.fresh(word) for what, word in WORDS.items()})


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
