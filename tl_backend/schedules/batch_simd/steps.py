"""The steps of a region: its products, those into one target joined, and what is left of its other instructions."""

from collections.abc import Iterator

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.schedules.batch_simd.merge import Step, merge, step_of
from einsum_front.tl_backend.schedules.positions.places import Places
from einsum_front.tl_backend.schedules.positions.product import product_of
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import regions
from einsum_front.tl_backend.types import GroupType


def steps_of(region: tl.Region, places: Places) -> tuple[Step, ...]:
    """The steps in an order that keeps the meaning of the region."""
    return merge(tuple(_step(instruction, places) for instruction in region if not _is_silent(instruction)))


def _is_silent(instruction: tl.Instruction) -> bool:
    """True if the instruction says where something is, and needs no code."""
    if isinstance(instruction, tl.Load):
        return isinstance(instruction.type, GroupType)
    return isinstance(
        instruction, tl.Alloca | tl.Barrier | tl.Expand | tl.Fuse | tl.GroupId | tl.LifetimeStop | tl.Subview
    )


def _step(instruction: tl.Instruction, places: Places) -> Step:
    if isinstance(instruction, tl.Collective):
        return step_of(product_of(instruction, places))
    inside = tuple(everything(instruction))
    return Step(
        instruction,
        frozenset(places.place(memref).base for each in inside for memref in reads(each)),
        frozenset(places.place(memref).base for each in inside for memref in writes(each)),
    )


def everything(instruction: tl.Instruction) -> Iterator[tl.Instruction]:
    """The instruction and all in its regions."""
    yield instruction
    for region in regions(instruction):
        for inner in region:
            yield from everything(inner)
