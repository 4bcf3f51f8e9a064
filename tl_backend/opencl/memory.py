"""Where the memory of an `alloca` is: private if one work-item is alone, otherwise local memory of the work-group.

Local memory is one array at the start of the kernel, where OpenCL wants it; every `alloca` has its own part of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from tl_backend.instructions import Alloca
from tl_backend.opencl import index
from tl_backend.opencl.context import Context
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
from tl_backend.types import Extent, MemrefType

ALIGNMENT = 64
"""Bytes: every part of local memory starts on a multiple, enough for any vector."""


@dataclass(frozen=True, slots=True)
class LocalMemory:
    """The byte at which each `alloca` starts, and the bytes that all need together."""

    offsets: Mapping[str, int]
    size: int


NO_LOCAL_MEMORY = LocalMemory({}, 0)


def plan_local_memory(function: Function) -> LocalMemory:
    """Every `alloca` for itself, one behind the other."""
    offsets, size = {}, 0
    for instruction in allocas(function):
        offsets[instruction.result.name] = size
        size += occupied(instruction.type)
    return LocalMemory(offsets, size)


def allocas(function: Function) -> tuple[Alloca, ...]:
    """All of them, in the order of the text."""
    return tuple(instruction for instruction in walk(function.body) if isinstance(instruction, Alloca))


def occupied(memref: MemrefType) -> int:
    """Bytes from the first entry to where the next temporary may start."""
    return -(-footprint(memref) * memref.element.size // ALIGNMENT) * ALIGNMENT


def declare_local_memory(memory: LocalMemory, name: str) -> Statements:
    """The array of the work-group, if it needs one."""
    return (DeclareArray(Scalar.UCHAR, name, memory.size, AddressSpace.LOCAL, ALIGNMENT),) if memory.size else ()


def lower_alloca(instruction: Alloca, context: Context) -> Statements:
    """A private array, or a pointer into the local memory of the work-group."""
    memref, element = instruction.type, memory_type(instruction.type.element)
    name = context.names.fresh(local_name(instruction.result.name))
    pointer = Pointer(element, AddressSpace.PRIVATE if context.items.count == 1 else AddressSpace.LOCAL)
    view = View(memref.element, Name(name), pointer, _known(memref.shape), _known(memref.strides))
    context.values[instruction.result.name] = view
    if pointer.space is AddressSpace.PRIVATE:
        return (DeclareArray(element, name, footprint(memref), pointer.space, context.target.vector_bytes),)
    offset = index.constant(context.offsets[instruction.result.name])
    return (Declare(pointer, name, Cast(pointer, index.add(Name(context.pool), offset))),)


def _known(extents: tuple[Extent, ...]) -> tuple[Expression, ...]:
    return tuple(index.constant(extent) for extent in extents if extent is not None)
