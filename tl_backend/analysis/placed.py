"""Views as parts of the memory that they were taken from, whatever views lie between."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from einsum_front.tl_backend.instructions import Fuse, IndexOperand, IntegerConstant, Local, Position, Subview
from einsum_front.tl_backend.types import MemrefType


@dataclass(frozen=True, slots=True)
class Offset:
    """A number of positions: `constant`, plus the values of the names, which are sorted and may repeat."""

    constant: int = 0
    names: tuple[str, ...] = ()

    def plus(self, other: "Offset") -> "Offset":
        """The sum."""
        return Offset(self.constant + other.constant, tuple(sorted(self.names + other.names)))


NOWHERE = Offset()

Offsets = Mapping[str, Offset]
"""Values that are known to be sums of others, by name."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A view on `root`: where it starts in each mode of the root, and the mode of the root that each of its own walks.

    A fused mode walks the first of the modes that it is made of.
    """

    root: Local
    type: MemrefType
    starts: tuple[Offset, ...]
    modes: tuple[int, ...]


def whole(root: Local, type_: MemrefType) -> Placed:
    """All of a memref."""
    return Placed(root, type_, (NOWHERE,) * type_.order, tuple(range(type_.order)))


def part(view: Fuse | Subview, of: Placed, values: Offsets) -> Placed:
    """What a view on a placed memref is of the root of that."""
    match view:
        case Fuse(first=first, last=last):
            return replace(of, modes=(*of.modes[: first + 1], *of.modes[last + 1 :]))
        case Subview(slices=slices):
            starts = list(of.starts)
            for slice_, mode in zip(slices, of.modes, strict=True):
                start = slice_.index if isinstance(slice_, Position) else slice_.offset
                starts[mode] = starts[mode].plus(offset_of(start, values))
            kept = _kept(slices, of.modes)
            return replace(of, starts=tuple(starts), modes=kept)


def offset_of(operand: IndexOperand, values: Offsets) -> Offset:
    """The operand as a sum."""
    if isinstance(operand, IntegerConstant):
        return Offset(operand.value)
    return values.get(operand.name, Offset(0, (operand.name,)))


def _kept(slices: Sequence[object], modes: Sequence[int]) -> tuple[int, ...]:
    return tuple(mode for slice_, mode in zip(slices, modes, strict=True) if not isinstance(slice_, Position))
