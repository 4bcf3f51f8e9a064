"""Where the memory of every `alloca` is: in the one local memory of a work-group, or in its part of global memory."""

from collections.abc import Mapping

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.analysis.liveness import lifetimes
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.traverse import walked
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
        for instruction in walked(function)
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
