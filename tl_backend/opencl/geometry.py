"""The shape of a launch: a group of the language is a work-group, and work-groups are counted in the third dimension.

The first two dimensions hold the work-items of one group: the global size is (m, n, groups), the local size (m, n, 1).
Columns without rows, (1, n), are launched as (n, 1): PoCL 3.0 runs work-items twice in front of a barrier in a branch
if the first dimension has one work-item and the second has more.
"""

from tl_backend.opencl import index
from tl_backend.opencl.context import ALONE, Items
from tl_backend.opencl.names import Names
from tl_backend.opencl.tree import Call, Declare, Expression, Integer, Name, Scalar, Statements
from tl_backend.program import Function

DIMENSIONS, BATCH = (Integer(0), Integer(1)), Integer(2)
"""The dimensions of the work-items and of the work-groups."""


def work_group_size(function: Function) -> tuple[int, int]:
    """The work-group that the kernel is made for; one work-item unless the function asks for more."""
    return function.work_group_size or (1, 1)


def local_size(function: Function) -> tuple[int, int]:
    """The first two dimensions of the work-group in the launch."""
    rows, columns = work_group_size(function)
    return (columns, 1) if rows == 1 else (rows, columns)


def work_group() -> Expression:
    """The number of the work-group among all of the launch."""
    return Call("get_group_id", (BATCH,))


def work_groups() -> Expression:
    """How many work-groups the launch has."""
    return Call("get_num_groups", (BATCH,))


def group_id(groups_per_element: int = 1) -> Expression:
    """The number of the group of the language, which several work-groups may be."""
    return index.divide(work_group(), index.constant(groups_per_element))


def group_size(groups_per_element: int = 1) -> Expression:
    """The number of groups of the language in the launch."""
    return index.divide(work_groups(), index.constant(groups_per_element))


def make_items(function: Function, names: Names) -> Items:
    """The work-items of a group; the place of this one is a variable where it is not the only one."""
    rows, columns = work_group_size(function)
    row = Name(names.fresh("item_row")) if rows > 1 else ALONE.row
    column = Name(names.fresh("item_column")) if columns > 1 else ALONE.column
    return Items(rows, columns, row, column)


def declare_items(items: Items, together: int = 1) -> Statements:
    """The variables of `make_items`, each from the first dimension that is free.

    The second dimension has the columns of one element behind those of the other if there are several `together`.
    """
    places = [place for place in (items.row, items.column) if isinstance(place, Name)]
    ids: list[Expression] = [Call("get_local_id", (dimension,)) for dimension in DIMENSIONS]
    if together > 1:
        ids[1] = index.remainder(ids[1], index.constant(items.columns))
    return tuple(Declare(Scalar.INT, place.text, number) for place, number in zip(places, ids, strict=False))
