"""Where the memory of an `alloca` is: private if one work-item is alone, otherwise local memory of the work-group.

Local memory is one array at the start of the kernel, where OpenCL wants it; every `alloca` has the part of it that
`place_buffers` says: those that are never alive together share. What has to be in global memory has its place in the
part of the work-group there (`scratch`).

In private memory only large ones share, and only if that saves something: compilers know more of arrays of their own,
and keep small ones in registers.
"""

from math import prod

from tl_backend.analysis.liveness import lifetimes
from tl_backend.analysis.placement import ALIGNMENT, Placement, buffer_sizes, place, place_buffers, size_in_bytes
from tl_backend.instructions import Alloca
from tl_backend.opencl import index
from tl_backend.opencl.context import Context
from tl_backend.opencl.geometry import work_group_size
from tl_backend.opencl.names import local_name
from tl_backend.opencl.scalar import memory_type
from tl_backend.opencl.tree import (
    AddressSpace,
    Cast,
    Declare,
    DeclareArray,
    Expression,
    Name,
    Pointer,
    Scalar,
    Statements,
)
from tl_backend.opencl.view import View, footprint
from tl_backend.program import Function
from tl_backend.traverse import walk
from tl_backend.types import Extent

NO_LOCAL_MEMORY = Placement({}, 0)
LOCAL_BYTES = Pointer(Scalar.UCHAR, AddressSpace.LOCAL)

LARGE = 32 * 1024
"""Bytes from which private arrays share memory."""


def local_memory(function: Function) -> Placement:
    """The byte where each `alloca` starts in local memory; nothing is there if a work-item is alone."""
    return NO_LOCAL_MEMORY if prod(work_group_size(function)) == 1 else place_buffers(function)


def private_memory(function: Function) -> Placement:
    """The byte where each large `alloca` starts in the private array that they share, if a work-item is alone."""
    if prod(work_group_size(function)) > 1:
        return NO_LOCAL_MEMORY
    sizes = {name: size for name, size in buffer_sizes(function).items() if size >= LARGE}
    shared = place(sizes, lifetimes(function))
    return shared if shared.size < sum(map(len, shared.places.values())) else NO_LOCAL_MEMORY


def private_bytes(function: Function) -> tuple[int, ...]:
    """For each `alloca` the private memory of a work-item that is alone, up to its end."""
    shared = private_memory(function)
    ends, own = [], shared.size
    for instruction in allocas(function):
        start = shared.places.get(instruction.result.name)
        own += size_in_bytes(instruction.type) if start is None else 0
        ends.append(own if start is None else start.stop)
    return tuple(ends)


def allocas(function: Function) -> tuple[Alloca, ...]:
    """Those that are near the work-items, in the order of the text."""
    found = (instruction for instruction in walk(function.body) if isinstance(instruction, Alloca))
    return tuple(instruction for instruction in found if not instruction.is_global)


def declare_local_memory(size: int, name: str) -> Statements:
    """The array of the work-group, if it needs one."""
    return (DeclareArray(Scalar.UCHAR, name, size, AddressSpace.LOCAL, ALIGNMENT),) if size else ()


def declare_private_memory(memory: Placement, name: str) -> Statements:
    """The array that large private arrays share, if there is one."""
    return (DeclareArray(Scalar.UCHAR, name, memory.size, AddressSpace.PRIVATE, ALIGNMENT),) if memory.size else ()


def lower_alloca(instruction: Alloca, context: Context) -> Statements:
    """An array of its own, or a pointer into what several share, or into the work-group's part of global memory."""
    memref, element = instruction.type, memory_type(instruction.type.element)
    name = context.names.fresh(local_name(instruction.result.name))
    near = AddressSpace.PRIVATE if context.items.count == 1 else AddressSpace.LOCAL
    pointer = Pointer(element, AddressSpace.GLOBAL if instruction.is_global else near)
    view = View(memref.element, Name(name), pointer, _known(memref.shape), _known(memref.strides))
    context.values[instruction.result.name] = view
    if instruction.result.name not in context.places:
        return (DeclareArray(element, name, footprint(memref), pointer.space, context.target.vector_bytes),)
    pool = context.scratch if instruction.is_global else context.pool
    offset = index.constant(context.places[instruction.result.name].start)
    return (Declare(pointer, name, Cast(pointer, index.add(Name(pool), offset))),)


def _known(extents: tuple[Extent, ...]) -> tuple[Expression, ...]:
    return tuple(index.constant(extent) for extent in extents if extent is not None)
