"""Which entries of which memory a memref stands for, as far as the text says; whether two memrefs overlap for sure."""

from collections.abc import Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, is_at_most
from einsum_front.ir.yateto import nodes as yir


@dataclass(frozen=True, slots=True)
class Span:
    """The positions [start, stop) of a mode."""

    start: int
    stop: Extent


@dataclass(frozen=True, slots=True)
class Unknown:
    """One position inside a span, given by the value of a local."""

    within: Span
    local: str


@dataclass(frozen=True, slots=True)
class Memory:
    """A box in the memory that `base` names: `parts` has one entry for each mode of the base.

    `modes` are the modes of the base that the memref still has, in their order.
    """

    base: str
    parts: tuple[Span | Unknown, ...]
    modes: tuple[int, ...]

    @staticmethod
    def whole(base: str, memref: yir.MemrefType) -> "Memory":
        """All entries of the memory of an argument, an alloca or a work item."""
        return Memory(base, tuple(Span(0, size) for size in memref.shape), tuple(range(memref.order)))

    @staticmethod
    def item(instruction: yir.GetWorkItem) -> "Memory":
        """The work item of a group; with another offset it is other memory."""
        offset = "" if instruction.offset is None else f"+%{instruction.offset.name}"
        return Memory.whole(f"%{instruction.group.name}{offset}", instruction.type.memref)

    def view(self, parts: Sequence[yir.Position | yir.Slice]) -> "Memory":
        """The part that a `subview` takes."""
        boxes = list(self.parts)
        for mode, part in zip(self.modes, parts, strict=True):
            span = boxes[mode]
            if isinstance(span, Span):
                boxes[mode] = _narrowed(span, part)
        kept = tuple(mode for mode, part in zip(self.modes, parts, strict=True) if isinstance(part, yir.Slice))
        return replace(self, parts=tuple(boxes), modes=kept)

    def surely_overlaps(self, other: "Memory") -> bool:
        """True if an entry belongs to both, whatever the values of locals are."""
        return self.base == other.base and all(map(_surely_meet, self.parts, other.parts))


def _narrowed(span: Span, part: yir.Position | yir.Slice) -> Span | Unknown:
    match part:
        case yir.Position(index=yir.Local(name=name)):
            return Unknown(span, name)
        case yir.Position(index=int() as index):
            return Span(span.start + index, span.start + index + 1)
        case yir.Slice(start=start, stop=stop):
            end = span.stop if stop is None else span.start + stop
            return Span(span.start + (start or 0), end)
        case yir.Position():
            return span


def _surely_meet(left: Span | Unknown, right: Span | Unknown) -> bool:
    if isinstance(left, Unknown) and isinstance(right, Unknown):
        return left == right
    if isinstance(left, Unknown):
        return _surely_meet(right, left)
    if isinstance(right, Unknown):
        return left.start <= right.within.start and is_at_most(right.within.stop, left.stop)
    return is_at_most(left.start + 1, right.stop) and is_at_most(right.start + 1, left.stop)
