"""A contraction as an OpenCL C file: every element of the batch is computed by several work-groups, one for each tile.

kernel void einsum(…)
{
    int tile = get_group_id(2) % 121;
    … the tile's first row and column
    for (int depth = 0; depth < 2000; depth += 250) {
        copy the rows into a panel
        copy the columns into a panel
        multiply the panels
    }
}
"""

from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Vector
from einsum_front.tl_backend.opencl.kernel import Kernel
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_function
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.packed.contract import lower_contraction
from einsum_front.tl_backend.schedules.packed.sizes import Sizes, groups_per_element
from einsum_front.tl_backend.schedules.tiles.contraction import begin


def lower(
    function: Source,
    contraction: Contraction,
    sizes: Sizes,
    target: Target,
    taken: frozenset[str] = frozenset(),
    epilogue: Epilogue | None = None,
) -> Kernel:
    """The kernel of a function that is this contraction and what its entries go through, cut into tiles of these sizes.

    `taken` are names that it cannot define. Raises `CompileError` with all that the target cannot do (E06xx).
    """
    tiled = begin(function, contraction, target, groups_per_element(sizes, contraction), taken, epilogue)
    transpose = tiled.context.names.fresh("transpose")
    kernel = tiled.kernel(lower_contraction(tiled, sizes, transpose, epilogue))
    functions = transpose_function(transpose, Vector(REGISTER[contraction.element], sizes.width), target), kernel
    return Kernel(tree.File(functions), groups_per_element=groups_per_element(sizes, contraction))
