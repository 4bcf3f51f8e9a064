"""The shape of a launch: a group of the language is a work-group, and work-groups are counted in the third dimension.

The first two dimensions hold the work-items of one group: the global size is (m, n, groups), the local size (m, n, 1).
Columns without rows, (1, n), are launched as (n, 1): PoCL 3.0 runs work-items twice in front of a barrier in a branch
if the first dimension has one work-item and the second has more.
"""

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.program import Function


def local_size(function: Function) -> tuple[int, int]:
    """The first two dimensions of the work-group in the launch."""
    rows, columns = function.work_items
    return (columns, 1) if rows == 1 else (rows, columns)


def work_group() -> tree.Expression:
    """The number of the work-group among all of the launch."""
    return tree.GroupId()


def work_groups() -> tree.Expression:
    """How many work-groups the launch has."""
    return tree.GroupCount()


def group_id(groups_per_element: int = 1) -> tree.Expression:
    """The number of the group of the language, which several work-groups may be."""
    return index.divide(work_group(), index.constant(groups_per_element))


def group_size(groups_per_element: int = 1) -> tree.Expression:
    """The number of groups of the language in the launch."""
    return index.divide(work_groups(), index.constant(groups_per_element))
