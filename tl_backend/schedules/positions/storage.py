"""The memories of a function: arguments and temporaries, each one for the whole batch or one for each lane."""

from collections.abc import Mapping
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Affine
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.positions.places import Place, Places, UnsuitableError, element_type
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import operands, regions, results, walked
from einsum_front.tl_backend.types import MemrefType, ScalarType


@dataclass(frozen=True, slots=True)
class Storage:
    """The memory of one base, of one element if there is one for each.

    `is_uniform` says that it is batch-invariant; a temporary is that if it is computed from such memory only.
    """

    name: str
    memref: MemrefType
    is_argument: bool
    is_uniform: bool

    @property
    def element(self) -> ScalarType:
        """The type of its entries."""
        return self.memref.element

    @property
    def span(self) -> int:
        """Positions from the first to the last entry, both included."""
        modes = zip(self.memref.shape, self.memref.strides, strict=True)
        return 1 + sum(((size or 1) - 1) * (stride or 0) for size, stride in modes)


Storages = Mapping[str, Storage]
"""The memories by the name of their base."""


@dataclass(frozen=True, slots=True)
class Sharing:
    """Values that differ from lane to lane: bases of memory, and scalars."""

    bases: frozenset[str]
    scalars: frozenset[str]


def find_storages(function: Function, places: Places, sharing: Sharing) -> Storages:
    """The memories that the function uses, arguments first."""
    storages = {}
    for argument in function.arguments:
        name = argument.name.name
        if name in places.batch_modes:
            memref = element_type(places.batches[name], places.batch_modes[name])
            storages[name] = Storage(name, memref, True, False)
        elif name in places.memrefs and isinstance(argument.type, MemrefType):
            storages[name] = Storage(name, argument.type, True, True)
    for instruction in walked(function):
        if isinstance(instruction, tl.Alloca):
            name = instruction.result.name
            storages[name] = Storage(name, instruction.type, False, name not in sharing.bases)
    return storages


def find_sharing(function: Function, places: Places) -> Sharing:
    """Follows what differs from lane to lane through the function, until loops add nothing."""
    bases, scalars = set(places.batch_modes), set[str]()
    size = -1
    while size < len(bases) + len(scalars):
        size = len(bases) + len(scalars)
        for instruction in walked(function):
            if _differs(instruction, places, bases, scalars):
                bases.update(places.place(memref).base for memref in writes(instruction))
                if isinstance(instruction, tl.If | tl.ValueInstruction):
                    scalars.update(local.name for local in results(instruction))
    return Sharing(frozenset(bases), frozenset(scalars))


def _differs(instruction: tl.Instruction, places: Places, bases: set[str], scalars: set[str]) -> bool:
    """True if the instruction computes with something that differs from lane to lane."""
    memory = {places.place(memref).base for memref in reads(instruction)}
    yielded = [region[-1] for region in regions(instruction) if region and isinstance(region[-1], tl.Yield)]
    used = [operand for each in (instruction, *yielded) for operand in operands(each)]
    return bool(memory & bases) or any(isinstance(operand, tl.Local) and operand.name in scalars for operand in used)


def check_inside(function: Function, places: Places, storages: Storages) -> None:
    """Raises `UnsuitableError` if a view or an entry is outside of its memory in some iteration."""
    for name, place in places.memrefs.items():
        modes = zip(place.shape, place.strides, strict=True)
        _check(name, place, place.offset, sum((size - 1) * stride for size, stride in modes), places, storages)
    for instruction in walked(function):
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
