"""The memory of an `alloca` in C: a private array, or a part of a shared one (`tl_backend.analysis.work_item_memory`).

What has to be in global memory has its place in the part of the work-group there (`scratch`).
"""

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.placement import ALIGNMENT
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer, Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View, extents, footprint
from einsum_front.tl_backend.schedules.lowering.views import Variables
from einsum_front.tl_backend.schedules.work_group.context import GroupContext
from einsum_front.tl_backend.types import Extent


def lower_alloca(instruction: tl.Alloca, context: GroupContext) -> tree.Statements:
    """An array of its own, or a pointer into what several share, or into the work-group's part of global memory."""
    if instruction.sizes:
        return _open(instruction, context)
    memref, element = instruction.type, memory_type(instruction.type.element)
    name = context.names.fresh(local_name(instruction.result.name))
    near = AddressSpace.PRIVATE if context.items.count == 1 else AddressSpace.LOCAL
    pointer = Pointer(element, AddressSpace.GLOBAL if instruction.is_global else near)
    view = View(memref.element, tree.Name(name), pointer, _known(memref.shape), _known(memref.strides))
    context.values[instruction.result.name] = view
    if instruction.result.name not in context.places:
        return (tree.DeclareArray(element, name, footprint(memref), pointer.space, context.target.vector_bytes),)
    pool = context.scratch.own if instruction.is_global and context.scratch is not None else tree.Name(context.pool)
    offset = index.constant(context.places[instruction.result.name].start)
    return (tree.Declare(pointer, name, tree.Cast(pointer, index.add(pool, offset))),)


def _open(instruction: tl.Alloca, context: GroupContext) -> tree.Statements:
    """The work-group's part of memory whose size only the launch knows."""
    if context.scratch is None:
        raise CompilerBug("temporaries of the launch have memory of it")
    memref, variables = instruction.type, Variables(instruction.result, context)
    pointer = Pointer(memory_type(memref.element), AddressSpace.GLOBAL)
    given = iter(instruction.sizes)
    shape = extents(memref.shape, lambda _: context.index(next(given)))
    strides: list[tree.Expression] = [index.ONE]
    for mode, size in enumerate(shape[:-1], 1):
        strides.append(variables.extent("stride", mode, index.multiply(strides[-1], size)))
    entries = index.multiply(strides[-1], shape[-1])
    lines = index.divide(
        index.add(index.multiply(index.constant(memref.element.size), entries), index.constant(ALIGNMENT - 1)),
        index.constant(ALIGNMENT),
    )
    bytes_ = variables.declare(Scalar.I64, "_bytes", index.multiply(index.constant(ALIGNMENT), lines))
    base = variables.declare(pointer, "", tree.Cast(pointer, context.scratch.open_part(bytes_)))
    return variables.bind(View(memref.element, base, pointer, shape, tuple(strides)))


def _known(extents: tuple[Extent, ...]) -> tuple[tree.Expression, ...]:
    return tuple(index.constant(extent) for extent in extents if extent is not None)
