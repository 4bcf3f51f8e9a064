"""A contraction as a kernel: every element of the batch is computed by several work-groups, one for each tile."""

from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.geometry import group_id, group_size
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.packed.lower import once
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, Sizes
from einsum_front.tl_backend.schedules.tiled.tile import lower_tile
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.items import ALONE


def lower(
    function: Source, contraction: Contraction, sizes: Sizes, target: Target, taken: frozenset[str] = frozenset()
) -> Kernel:
    """The kernel of a function that is this contraction, cut into tiles of these sizes.

    `taken` are names that it cannot define. Raises `CompileError` with all that the target cannot do (E06xx).
    """
    check_target(function, target)
    names = free_names(target, taken)
    entry = names.fresh(local_name(function.name))
    parameters = Parameters(function, names)
    ids = group_id(sizes.groups), group_size(sizes.groups)
    context = Context(target, names, ALONE, *ids, {}, "", {}, parameters.values)
    body = *once(contraction, context), *lower_tile(contraction, sizes, context)
    kernel = tree.Function(entry, tuple(parameters.list), body, (ITEMS, ITEMS, 1))
    return Kernel(
        tree.File((kernel,)),
        work_group_size=(ITEMS, ITEMS),
        local_memory=sizes.entries * size_of(REGISTER[contraction.element]),
        groups_per_element=sizes.groups,
    )
