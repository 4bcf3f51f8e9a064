"""Where the memory of every `alloca` is: in the one local memory of a work-group, or in its part of global memory."""

from collections.abc import Mapping
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import SharedWork
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import buffers
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import Axis, memrefs, sizes
from einsum_front.tl_backend.traverse import operands, regions, walk, walked
from einsum_front.tl_backend.types import MemrefType

ALIGNMENT = 64
"""Bytes: every buffer starts on a multiple, enough for any vector of the device."""


@dataclass(frozen=True, slots=True)
class Placement:
    """The bytes where the memory of each `alloca` is, and how many are needed together."""

    places: dict[str, range]
    size: int


def place_buffers(function: Function, *, is_global: bool = False) -> Placement:
    """Give the `alloca`s that are near the work-items, or those in global memory, their places."""
    return place(buffer_sizes(function, is_global=is_global), lifetimes(function))


def buffer_sizes(function: Function, *, is_global: bool = False) -> Mapping[str, int]:
    """The bytes that each `alloca` of the one memory or the other takes, in the order of the text.

    Those whose sizes only the launch knows have none (`open_temporaries`).
    """
    return {
        instruction.result.name: _aligned(size_in_bytes(instruction.type))
        for instruction in function.get(walked)
        if isinstance(instruction, tl.Alloca) and instruction.is_global == is_global and not instruction.sizes
    }


def place(sizes: Mapping[str, int], lives: Mapping[str, range]) -> Placement:
    """Give memory that is never alive together the same place.

    Large buffers come first, each at the lowest place that is free during its life (first fit, decreasing).
    """
    placed: dict[str, range] = {}
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        taken = [placed[other] for other in placed if meet(lives[name], lives[other])]
        start = _first_gap(sorted(taken, key=lambda place: place.start), sizes[name])
        placed[name] = range(start, start + sizes[name])
    size = max((place.stop for place in placed.values()), default=0)
    return Placement({name: placed[name] for name in sizes}, size)


def size_in_bytes(memref: MemrefType) -> int:
    """Bytes from the first to the last element of a memref with known sizes and strides."""
    last = sum(((size or 1) - 1) * (stride or 0) for size, stride in zip(memref.shape, memref.strides, strict=True))
    return (last + 1) * memref.element.size


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def meet(one: range, other: range) -> bool:
    """True if two ranges of instructions, or of bytes, have something in common."""
    return one.start < other.stop and other.start < one.stop


def _first_gap(taken: list[range], size: int) -> int:
    """The lowest start of `size` free bytes; `taken` is in ascending order of their starts."""
    start = 0
    for place in taken:
        if start + size <= place.start:
            return start
        start = max(start, place.stop)
    return start


# -- how long the memory of an `alloca` is needed ----------------------------------------------------------------------
# From there to its `lifetime_stop`, or to the end of its region.


def lifetimes(function: Function) -> Mapping[str, range]:
    """For every `alloca` the numbers of the instructions during which its memory is alive.

    Instructions are numbered in the order of the text. Nothing outlives an iteration of its loop, so that memories
    whose ranges do not meet are never alive together.
    """
    lives, _ = _lives(function.body, 0)
    return lives


def _lives(region: tl.Region, first: int) -> tuple[dict[str, range], int]:
    """The lives that begin in the region, whose instructions are numbered from `first` on, and the next number."""
    lives: dict[str, range] = {}
    begun: dict[str, int] = {}
    number = first
    for instruction in region:
        if isinstance(instruction, tl.Alloca):
            begun[instruction.result.name] = number
        elif isinstance(instruction, tl.LifetimeStop):
            name = instruction.operand.name
            lives[name] = range(begun.pop(name), number)
        number += 1
        for inner in regions(instruction):
            inside, number = _lives(inner, number)
            lives |= inside
    return lives | {name: range(start, number) for name, start in begun.items()}, number


def needed_lifetimes(function: Function) -> Mapping[str, range]:
    """The same as far as memory is needed: to the last instruction that uses it, through any view.

    A use inside a loop or an `if` counts for the whole of it.
    """
    lives: dict[str, range] = {}
    _needed(function.body, 0, buffers(function), lives)
    return lives


def _needed(region: tl.Region, first: int, base: Mapping[str, str], lives: dict[str, range]) -> int:
    """Adds the lives that begin in the region, whose instructions are numbered from `first` on; the next number."""
    own: set[str] = set()
    number = first
    for instruction in region:
        start, number = number, number + 1
        for inner in regions(instruction):
            number = _needed(inner, number, base, lives)
        if isinstance(instruction, tl.Alloca):
            own.add(instruction.result.name)
            lives[instruction.result.name] = range(start, number)
        locals_ = (local for inner in walk((instruction,)) for local in operands(inner) if isinstance(local, tl.Local))
        for name in own & {base[local.name] for local in locals_ if local.name in base}:
            lives[name] = range(lives[name].start, number)
    return number


# -- temporaries near the work-items -----------------------------------------------------------------------------------
# In private memory if one is alone, otherwise in local memory of the work-group. In local memory those that are never
# alive together share. In private memory only large ones share, and only if that saves something: compilers know more
# of arrays of their own, and keep small ones in registers.

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
    found = (instruction for instruction in function.get(walked) if isinstance(instruction, tl.Alloca))
    return tuple(instruction for instruction in found if not instruction.is_global)


# -- products whose factors have no room in local memory pass through it slice by slice of their depth -----------------


def slice_depth(depth: int, shared: SharedWork) -> int:
    """A divisor of the depth if there is one, so that all slices are alike."""
    least, most = shared.slices
    fitting = (each for each in range(min(depth, most), least - 1, -1) if depth % each == 0)
    return next(fitting, min(depth, most))


def odd(size: int) -> int:
    """The distance of columns in a slice: with an odd one, entries of a row are in different banks of the memory."""
    return size | 1


def panel_bytes(product: tl.Gemm, work_group: tuple[int, int], shared: SharedWork) -> int | None:
    """Bytes of local memory for a slice of both factors.

    None if that is not known, if the types differ, or if too few work-items of the group read an entry.
    """
    size = sizes(product)
    rows, columns, depth = size[Axis.M], size[Axis.N], size[Axis.K]
    element, elements = product.target.type.element, {each.type.element for each in memrefs(product)}
    if rows is None or columns is None or depth is None or len(elements) > 1 or not element.is_floating:
        return None
    if not is_read_often(rows, columns, work_group, shared):
        return None
    entries = slice_depth(depth, shared) * (odd(rows) + odd(columns))
    return -(-entries * element.size // ALIGNMENT) * ALIGNMENT


def is_read_often(rows: int, columns: int, work_group: tuple[int, int], shared: SharedWork) -> bool:
    """True if several work-items read each entry of both factors."""
    return min(rows, columns, *work_group) >= shared.readers


def needed_panel(function: Function, work_group: tuple[int, int], room: int, shared: SharedWork) -> int:
    """The bytes that the slices of the largest product take for which there is room, none of whose factors is near."""
    base = buffers(function)
    near = {each.result.name for each in function.get(walked) if isinstance(each, tl.Alloca) and not each.is_global}
    far = (
        each
        for each in function.get(walked)
        if isinstance(each, tl.Gemm) and not {base[factor.value.name] for factor in each.inputs} & near
    )
    return max((size for each in far if (size := panel_bytes(each, work_group, shared) or 0) <= room), default=0)
