"""Temporaries near the work-items: in private memory if one is alone, otherwise in local memory of the work-group.

In local memory those that are never alive together share. In private memory only large ones share, and only if that
saves something: compilers know more of arrays of their own, and keep small ones in registers.
"""

from math import prod

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.liveness import lifetimes
from einsum_front.tl_backend.analysis.placement import Placement, buffer_sizes, place, place_buffers, size_in_bytes
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import walked

NOTHING = Placement({}, 0)

LARGE = 32 * 1024
"""Bytes from which private arrays share memory."""


def local_memory(function: Function) -> Placement:
    """The byte where each `alloca` starts in local memory; nothing is there if a work-item is alone."""
    return NOTHING if prod(function.work_items) == 1 else place_buffers(function)


def private_memory(function: Function) -> Placement:
    """The byte where each large `alloca` starts in the private array that they share, if a work-item is alone."""
    if prod(function.work_items) > 1:
        return NOTHING
    sizes = {name: size for name, size in buffer_sizes(function).items() if size >= LARGE}
    shared = place(sizes, lifetimes(function))
    return shared if shared.size < sum(map(len, shared.places.values())) else NOTHING


def private_bytes(function: Function) -> tuple[int, ...]:
    """For each `alloca` the private memory of a work-item that is alone, up to its end."""
    shared = private_memory(function)
    ends, own = [], shared.size
    for instruction in near_allocas(function):
        start = shared.places.get(instruction.result.name)
        own += size_in_bytes(instruction.type) if start is None else 0
        ends.append(own if start is None else start.stop)
    return tuple(ends)


def near_allocas(function: Function) -> tuple[tl.Alloca, ...]:
    """Those that are near the work-items, in the order of the text."""
    found = (instruction for instruction in walked(function) if isinstance(instruction, tl.Alloca))
    return tuple(instruction for instruction in found if not instruction.is_global)
