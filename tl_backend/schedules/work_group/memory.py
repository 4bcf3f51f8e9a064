"""The memory of an `alloca` in C: a private array, or a part of a shared one (`tl_backend.analysis.work_item_memory`).

What has to be in global memory has its place in the part of the work-group there (`scratch`).
"""

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Pointer
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.names import local_name
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View, footprint
from einsum_front.tl_backend.schedules.work_group.context import Context
from einsum_front.tl_backend.types import Extent


def lower_alloca(instruction: tl.Alloca, context: Context) -> tree.Statements:
    """An array of its own, or a pointer into what several share, or into the work-group's part of global memory."""
    memref, element = instruction.type, memory_type(instruction.type.element)
    name = context.names.fresh(local_name(instruction.result.name))
    near = AddressSpace.PRIVATE if context.items.count == 1 else AddressSpace.LOCAL
    pointer = Pointer(element, AddressSpace.GLOBAL if instruction.is_global else near)
    view = View(memref.element, tree.Name(name), pointer, _known(memref.shape), _known(memref.strides))
    context.values[instruction.result.name] = view
    if instruction.result.name not in context.places:
        return (tree.DeclareArray(element, name, footprint(memref), pointer.space, context.target.vector_bytes),)
    pool = context.scratch if instruction.is_global else context.pool
    offset = index.constant(context.places[instruction.result.name].start)
    return (tree.Declare(pointer, name, tree.Cast(pointer, index.add(tree.Name(pool), offset))),)


def _known(extents: tuple[Extent, ...]) -> tuple[tree.Expression, ...]:
    return tuple(index.constant(extent) for extent in extents if extent is not None)
