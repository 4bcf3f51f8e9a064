"""Whether every access stays in its memory: patterns of zeros have no place for what leaves it.

The language leaves such a program undefined, and the verifier reports what is certain. What is behind an `if` may never
happen, so it is translated, in another schedule.
"""

from math import prod

from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.batch_simd.places import Place, Places, UnsuitableError
from einsum_front.tl_backend.schedules.batch_simd.storage import Storages
from einsum_front.tl_backend.traverse import walk


def check_inside(function: Function, places: Places, storages: Storages) -> None:
    """Raises `UnsuitableError` if a view or an entry is outside of its memory in some iteration."""
    for name, place in places.memrefs.items():
        modes = zip(place.shape, place.strides, strict=True)
        _check(name, place, place.offset, sum((size - 1) * stride for size, stride in modes), places, storages)
    for instruction in walk(function.body):
        if isinstance(instruction, tl.Load | tl.Store):
            memref = instruction.operand if isinstance(instruction, tl.Load) else instruction.target
            whole = places.memrefs.get(memref.name)
            if whole is not None:
                entry = whole.at(tuple(map(places.index, instruction.indices)))
                _check(memref.name, whole, entry, 0, places, storages)


def _check(name: str, place: Place, first: Affine, span: int, places: Places, storages: Storages) -> None:
    counted = [(places.loops[variable], factor) for variable, factor in first.terms]
    if place.base not in storages or not prod(len(positions) for positions, _ in counted):
        return
    ends = [sorted((positions[0] * factor, positions[-1] * factor)) for positions, factor in counted]
    lowest = first.constant + sum(low for low, _ in ends)
    highest = first.constant + sum(high for _, high in ends) + span
    if lowest < 0 or highest >= storages[place.base].span:
        raise UnsuitableError(f"`%{name}` leaves its memory in some iteration")
