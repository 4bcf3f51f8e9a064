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

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.contraction import Contraction
from einsum_front.tl_backend.analysis.epilogue import Epilogue
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Vector
from einsum_front.tl_backend.opencl.comment import comment
from einsum_front.tl_backend.opencl.geometry import group_id, group_size
from einsum_front.tl_backend.opencl.kernel import Kernel, free_names
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.parameters import Parameters
from einsum_front.tl_backend.opencl.requirements import check_target
from einsum_front.tl_backend.opencl.scalar import REGISTER
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.opencl.transpose import transpose_function
from einsum_front.tl_backend.program import Function as Source
from einsum_front.tl_backend.schedules.packed.contract import lower_contraction
from einsum_front.tl_backend.schedules.packed.sizes import Sizes, groups_per_element
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.schedules.work_group.items import ALONE
from einsum_front.tl_backend.schedules.work_group.region import lower_instruction
from einsum_front.tl_backend.traverse import operands


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
    check_target(function, target)
    names = free_names(target, taken)
    entry = names.fresh(local_name(function.name))
    transpose = names.fresh("transpose")
    parameters = Parameters(function, names)
    groups = groups_per_element(sizes, contraction)
    context = Context(target, names, ALONE, group_id(groups), group_size(groups), {}, "", {}, parameters.values)
    body = *once(contraction, context, epilogue), *lower_contraction(contraction, sizes, transpose, context, epilogue)
    kernel = tree.Function(entry, tuple(parameters.list), body, (1, 1, 1))
    vector = Vector(REGISTER[contraction.element], sizes.width)
    functions = transpose_function(transpose, vector, target), kernel
    file = tree.File(functions)
    return Kernel(file, groups_per_element=groups)


def once(contraction: Contraction, context: Context, epilogue: Epilogue | None = None) -> tree.Statements:
    """The values that the contraction needs, what stands behind it, and those that they need."""
    coefficients = contraction.alpha.value, contraction.beta.value
    tensors = contraction.left, contraction.right, contraction.target
    needed = {tensor.root.name for tensor in tensors}
    needed |= {each.name for each in coefficients if isinstance(each, tl.Local)}
    needed |= {name for tensor in tensors for start in tensor.starts for name in start.names}
    inside = () if epilogue is None else epilogue.body
    needed |= {each.name for step in inside for each in operands(step) if isinstance(each, tl.Local)}
    chosen: list[tl.ValueInstruction] = []
    for instruction in reversed(contraction.once):
        if instruction.result.name in needed:
            chosen.append(instruction)
            needed |= {each.name for each in operands(instruction) if isinstance(each, tl.Local)}
    sections = ((each, lower_instruction(each, context)) for each in reversed(chosen))
    return tuple(tree.Section(comment(each), body, each.origin) for each, body in sections if body)
