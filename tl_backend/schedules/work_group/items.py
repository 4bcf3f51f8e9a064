"""The work-items that share a group of the language, and the place of one among them."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.program import Function


@dataclass(frozen=True, slots=True)
class Items:
    """The work-items that share a collective instruction: `rows` times `columns`, and the place of this one in them."""

    rows: int = 1
    columns: int = 1
    row: tree.Expression = index.ZERO
    column: tree.Expression = index.ZERO

    @property
    def count(self) -> int:
        """How many there are."""
        return self.rows * self.columns

    @property
    def number(self) -> tree.Expression:
        """The number of this one, rows first."""
        return index.add(self.row, index.multiply(index.constant(self.rows), self.column))


ALONE = Items()
"""One work-item does everything: the whole kernel in a work-group of one, and every spmd region."""


def make_items(function: Function, names: Names) -> Items:
    """The work-items of a group; the place of this one is a variable where it is not the only one."""
    rows, columns = function.work_items
    row = tree.Name(names.fresh("item_row")) if rows > 1 else ALONE.row
    column = tree.Name(names.fresh("item_column")) if columns > 1 else ALONE.column
    return Items(rows, columns, row, column)


def declare_items(items: Items, together: int = 1) -> tree.Statements:
    """The variables of `make_items`, each from the first dimension that is free.

    The second dimension has the columns of one element behind those of the other if there are several `together`.
    """
    places = [place for place in (items.row, items.column) if isinstance(place, tree.Name)]
    ids: list[tree.Expression] = [tree.ItemId(0), tree.ItemId(1)]
    if together > 1:
        ids[1] = index.remainder(ids[1], index.constant(items.columns))
    return tuple(tree.Declare(Scalar.I32, place.text, number) for place, number in zip(places, ids, strict=False))
