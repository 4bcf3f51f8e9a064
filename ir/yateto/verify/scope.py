"""Scope at one place of a function: the names in sight, their types, and the memory that they stand for."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, Size, is_at_most, with_sizes
from einsum_front.core.facts import Limit, Values
from einsum_front.ir.yateto import nodes as yir

# -- memory ------------------------------------------------------------------------------------------------------------
# Which entries of which memory a memref stands for, as far as the text says; whether two memrefs overlap for sure.


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


@dataclass(frozen=True, slots=True)
class Definition:
    """A named value; `type` is None where it cannot be known because of a mistake that was reported.

    `memory` says which entries a memref stands for; `values` of the variable of a loop are from the first
    number to the second, excluded; `depth` counts the regions around the definition, 0 for the function's own.
    """

    local: yir.Local
    type: yir.Type | None
    memory: Memory | None = None
    values: tuple[int, Extent] | None = None
    depth: int = 0
    is_alloca: bool = False


@dataclass(slots=True)
class Scope:
    """The names in sight while the regions of one function are walked in the order of the text.

    `first` holds every name of the function where it is first defined, `known_values` the arguments whose values are
    known, `limits` those of sizes, `closed` the names that are out of sight again, `stopped` the allocas whose life has
    ended. A forgiven name was reported once; nothing more is said about it.
    """

    first: Mapping[str, yir.Local]
    moved: frozenset[str] = frozenset()
    known_values: Mapping[str, Values] = field(default_factory=dict)
    limits: Mapping[str, Limit] = field(default_factory=dict)
    visible: dict[str, Definition] = field(default_factory=dict)
    closed: dict[str, yir.Local] = field(default_factory=dict)
    stopped: dict[str, yir.LifetimeStop] = field(default_factory=dict)
    forgiven: set[str] = field(default_factory=set)
    depth: int = 0

    def define(self, definition: Definition) -> None:
        """Bring a name in sight."""
        self.visible[definition.local.name] = definition

    def known(self, local: yir.Local) -> Definition | None:
        """The definition of a name in sight whose type is known."""
        definition = self.visible.get(local.name)
        if definition is None or definition.type is None or local.name in self.forgiven:
            return None
        return definition

    def limited(self, extent: Extent) -> Extent:
        """The extent, of sizes with their limits."""
        sizes = {name: Size(name, limit.least, limit.most) for name, limit in self.limits.items()}
        return with_sizes(extent, sizes)

    @contextmanager
    def inside(self) -> Iterator[None]:
        """The scope of a loop's region: what is defined there is out of sight afterwards."""
        before = dict(self.visible)
        self.depth += 1
        yield
        self.depth -= 1
        self.closed |= {name: each.local for name, each in self.visible.items() if name not in before}
        self.visible = before
