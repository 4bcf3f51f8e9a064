"""A contraction as a kernel: every element of the batch is computed by several work-groups, one for each tile."""

from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import size_of
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.tiled.sizes import ITEMS, Sizes
from einsum_front.tl_backend.schedules.tiled.tile import lower_tile
from einsum_front.tl_backend.schedules.tiles.contraction import begin


def lower(
    function: Source, contraction: Contraction, sizes: Sizes, target: Target, taken: frozenset[str] = frozenset()
) -> Kernel:
    """The kernel of a function that is this contraction, cut into tiles of these sizes.

    `taken` are names that it cannot define. Raises `CompileError` with all that the target cannot do (E06xx).
    """
    tiled = begin(function, contraction, target, sizes.groups, taken)
    return Kernel(
        tree.File((tiled.kernel(lower_tile(tiled, sizes), (ITEMS, ITEMS)),)),
        work_group_size=(ITEMS, ITEMS),
        local_memory=sizes.entries * size_of(REGISTER[contraction.element]),
        groups_per_element=sizes.groups,
    )
