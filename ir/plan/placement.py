"""Where the value of a node lies: which part of which buffer holds which of its modes."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, product
from einsum_front.ir.contraction import nodes as cg
from einsum_front.ir.index import IndexMap
from einsum_front.ir.plan.pattern import Interval
from einsum_front.ir.plan.plan import View


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


# -- regions of a target -----------------------------------------------------------------------------------------------
# Ranges of its indices, and what is left of one beside another.

Region = Mapping[str, Interval]


def lengths(region: Region) -> dict[str, Extent]:
    """How far each index runs."""
    return {name: stop - start for name, (start, stop) in region.items()}


def volume(region: Region) -> Extent:
    """Number of positions."""
    return product(lengths(region).values())


def meet(one: Region, other: Region) -> bool:
    """True if two regions of the same indices have a position in common."""
    return all(has_common(interval, other[name]) for name, interval in one.items())


def has_common(one: Interval, other: Interval) -> bool:
    """True if two ranges of one mode have a position in common; of a dynamic mode, both are all of it."""
    if isinstance(one[1], int) and isinstance(other[1], int):
        return one[0] < other[1] and other[0] < one[1]
    return True


def _common(one: Interval, other: Interval) -> Interval:
    if isinstance(one[1], int) and isinstance(other[1], int):
        return max(one[0], other[0]), min(one[1], other[1])
    return one


def outside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, as disjoint regions."""
    if not meet(outer, inner):
        return [dict(outer)]
    return beside(outer, {name: _common(interval, inner[name]) for name, interval in outer.items()})


def beside(outer: Region, inner: Region) -> list[dict[str, Interval]]:
    """The outer region without the inner one, which lies in it, as disjoint regions: two for each index at most."""
    slabs: list[dict[str, Interval]] = []
    core = dict(outer)
    for name, (start, stop) in outer.items():
        first, last = inner[name]
        if isinstance(stop, int) and isinstance(last, int):
            slabs += [{**core, name: slab} for slab in ((start, first), (last, stop)) if slab[0] < slab[1]]
        core[name] = inner[name]
    return slabs


def is_first(region: Region, written: list[Region]) -> bool:
    """True if none of the regions that are written meets this one, which is one of them from now on."""
    if any(meet(region, other) for other in written):
        return False
    written.append(region)
    return True


def without(region: dict[str, Interval], inner: Sequence[Region]) -> list[dict[str, Interval]]:
    """Rest of a region beside others."""
    left = [region]
    for each in inner:
        left = [part for outer in left for part in outside(outer, each)]
    return left
