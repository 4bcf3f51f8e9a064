"""Where the value of a node lies: which part of which buffer holds which of its modes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import Interval
from einsum_front.ir.plan.plan import View
from einsum_front.ir.plan.regions import has_common


@dataclass(frozen=True, slots=True)
class ModeOf:
    """A mode of a buffer that holds the mode `mode` of a value; position p of the value is at p + shift."""

    mode: int
    shift: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A value in a buffer, one part for each mode of the buffer."""

    buffer: str
    parts: tuple[ModeOf | cg.At, ...]

    @staticmethod
    def of_box(buffer: str, box: tuple[Interval, ...]) -> "Placement":
        """A buffer that holds the box of a value and has the value's modes."""
        return Placement(buffer, tuple(ModeOf(mode, -start) for mode, (start, _) in enumerate(box)))

    @property
    def has_diagonal(self) -> bool:
        """True if a mode of the value walks two modes of the buffer at once."""
        modes = [part.mode for part in self.parts if isinstance(part, ModeOf)]
        return len(set(modes)) < len(modes)

    def sliced(self, parts: tuple[cg.Part, ...], result: IndexMap) -> "Placement":
        """The part of the value that `parts` name, with a mode for each index of `result`."""
        return Placement(self.buffer, tuple(_sliced(part, parts, result) for part in self.parts))

    def moved(self, offsets: Sequence[int]) -> "Placement":
        """The value as a part of a larger one: its position p is position p + offset there, in each of its modes."""
        parts = (replace(p, shift=p.shift - offsets[p.mode]) if isinstance(p, ModeOf) else p for p in self.parts)
        return Placement(self.buffer, tuple(parts))

    def view(self, map_: IndexMap, ranges: Mapping[str, Interval]) -> View:
        """The value on the given ranges of the indices that walk its modes."""
        parts: list[cg.Part] = []
        for part in self.parts:
            match part:
                case ModeOf(mode=mode, shift=shift):
                    parts.append(cg.Along(map_[mode], ranges[map_[mode]][0] + shift))
                case cg.At():
                    parts.append(part)
        return View(self.buffer, tuple(parts))


def _sliced(part: ModeOf | cg.At, parts: tuple[cg.Part, ...], result: IndexMap) -> ModeOf | cg.At:
    match part:
        case cg.At():
            return part
        case ModeOf(mode=mode, shift=shift):
            match parts[mode]:
                case cg.Along(index=index, offset=offset):
                    return ModeOf(result.index(index), shift + offset)
                case cg.At(position=position):
                    return cg.At(position + shift)


def overlap(one: View, one_extents: Mapping[str, Extent], other: View, other_extents: Mapping[str, Extent]) -> bool:
    """True if two views can have an entry in common."""
    if one.buffer != other.buffer:
        return False
    pairs = zip(one.parts, other.parts, strict=True)
    return all(has_common(_interval(a, one_extents), _interval(b, other_extents)) for a, b in pairs)


def _interval(part: cg.Part, extents: Mapping[str, Extent]) -> Interval:
    match part:
        case cg.Along(index=index, offset=offset):
            return offset, offset + extents[index]
        case cg.At(position=position):
            return position, position + 1
