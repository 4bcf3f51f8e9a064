"""Which part of which memory an instruction touches, and whether two parts may have an element in common."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from einsum_front.tl_backend.analysis.alias import viewed
from einsum_front.tl_backend.instructions import (
    Alloca,
    IndexOperand,
    Instruction,
    IntegerConstant,
    Load,
    Local,
    Position,
    Slice,
    Store,
    Subview,
    ValueInstruction,
)
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.semantics import reads, writes
from einsum_front.tl_backend.traverse import walk
from einsum_front.tl_backend.types import GroupType, MemrefType


@dataclass(frozen=True, slots=True)
class Bounds:
    """The positions `start` (included) to `stop` (excluded; None: the end) of a mode that may be touched."""

    start: int = 0
    stop: int | None = None


@dataclass(frozen=True, slots=True)
class Area:
    """A box of positions in `base`: an argument, an `alloca`, or any memref of a group.

    `modes` are the modes of the box that the modes of the view run along, None behind an `expand` or a `fuse`, where
    the box is not narrowed any further. All of the box is touched if it is exact; at most the box is, if it is not.
    """

    base: str
    box: tuple[Bounds, ...]
    modes: tuple[int, ...] | None
    is_exact: bool


@dataclass(frozen=True, slots=True)
class Touched:
    """The areas that are read and written."""

    read: frozenset[Area] = frozenset()
    written: frozenset[Area] = frozenset()

    def __or__(self, other: "Touched") -> "Touched":
        return Touched(self.read | other.read, self.written | other.written)

    def is_within(self, other: "Touched") -> bool:
        """Whether nothing is touched that the other does not touch in the same way."""
        return self.read <= other.read and self.written <= other.written


Areas = Mapping[str, Area]


def areas(function: Function) -> Areas:
    """The area of every memref and group of the function, by its name."""
    found = {
        argument.name.name: whole_area(argument.name.name, argument.type)
        for argument in function.arguments
        if isinstance(argument.type, MemrefType | GroupType)
    }
    for instruction in walk(function.body):
        if isinstance(instruction, Alloca):
            found[instruction.result.name] = whole_area(instruction.result.name, instruction.type)
        elif isinstance(instruction, ValueInstruction) and (operand := viewed(instruction)) is not None:
            found[instruction.result.name] = view_area(instruction, found[operand.name])
    return found


def whole_area(base: str, type_: MemrefType | GroupType) -> Area:
    """All of an argument or an alloca; for a group all of one of its memrefs, nobody knows which."""
    memref = type_.memref if isinstance(type_, GroupType) else type_
    box = tuple(Bounds(0, size) for size in memref.shape)
    return Area(base, box, tuple(range(memref.order)), not isinstance(type_, GroupType))


def view_area(view: ValueInstruction, area: Area) -> Area:
    """What a view, or a memref loaded from a group, shows of the area of its operand."""
    if isinstance(view, Subview):
        return _narrow(area, view.slices)
    return area if isinstance(view, Load) else replace(area, modes=None)


def _narrow(area: Area, picks: Iterable[Position | Slice]) -> Area:
    """The part of the area that is picked, as far as it is known."""
    if area.modes is None:
        return replace(area, is_exact=False)
    box = list(area.box)
    kept = []
    is_exact = area.is_exact
    for mode, pick in zip(area.modes, picks, strict=True):
        box[mode] = _pick(box[mode], pick)
        is_exact = is_exact and _is_known(pick)
        if isinstance(pick, Slice):
            kept.append(mode)
    return Area(area.base, tuple(box), tuple(kept), is_exact)


def _is_known(pick: Position | Slice) -> bool:
    operands = (pick.index,) if isinstance(pick, Position) else (pick.offset, pick.size)
    return not any(isinstance(operand, Local) for operand in operands)


def _pick(bounds: Bounds, pick: Position | Slice) -> Bounds:
    match pick:
        case Position(index=IntegerConstant(value=index)):
            return Bounds(bounds.start + index, bounds.start + index + 1)
        case Slice(offset=IntegerConstant(value=offset), size=IntegerConstant(value=size)):
            return Bounds(bounds.start + offset, bounds.start + offset + size)
        case Slice(offset=IntegerConstant(value=offset)):
            return Bounds(bounds.start + offset, bounds.stop)
        case Position() | Slice():
            return bounds


def touched(instruction: Instruction, known: Areas) -> Touched:
    """What the instruction, and the instructions inside it, read and write."""
    found = Touched()
    for inner in walk((instruction,)):
        indices = inner.indices if isinstance(inner, Load | Store) else None
        found |= Touched(
            frozenset(_element(known[memref.name], indices) for memref in reads(inner)),
            frozenset(_element(known[memref.name], indices) for memref in writes(inner)),
        )
    return found


def _element(area: Area, indices: tuple[IndexOperand, ...] | None) -> Area:
    return area if indices is None else _narrow(area, map(Position, indices))


def may_overlap(one: Area, other: Area) -> bool:
    """Whether areas of the same base may have an element in common.

    Different positions of a memref are different memory; two memrefs of a group are the same, or have none in common.
    """
    return all(
        (left.stop is None or right.start < left.stop) and (right.stop is None or left.start < right.stop)
        for left, right in zip(one.box, other.box, strict=True)
    )


def must_overlap(one: Area, other: Area) -> bool:
    """Whether areas have an element in common for certain: exact boxes, or a box inside of an exact one."""
    if one.base != other.base or not may_overlap(one, other):
        return False
    return (one.is_exact and other.is_exact) or _contains(one, other) or _contains(other, one)


def _contains(outer: Area, inner: Area) -> bool:
    """Whether all of the outer box is touched, and the inner one lies in it."""
    return outer.is_exact and all(
        left.start <= right.start and (left.stop is None or (right.stop is not None and right.stop <= left.stop))
        for left, right in zip(outer.box, inner.box, strict=True)
    )
