"""Scope at one place of a function: the names in sight with their types, and the regions around it."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.facts import Values
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.access import Access
from einsum_front.tl_backend.types import Type


@dataclass(frozen=True, slots=True)
class Definition:
    """A named value; `type` is None where it cannot be known because of a mistake that was reported.

    `area` is the memory that a memref or a group stands for; `depth` counts the regions around the definition, 0 for
    the function's own.
    """

    local: tl.Local
    type: Type | None
    access: Access | None
    depth: int
    is_alloca: bool = False


@dataclass(slots=True)
class Scope:
    """The names in sight while the regions of one function are walked in the order of the text.

    `first` holds every name of the function where it is first defined, `known_values` the arguments whose values are
    known, `closed` the names that are out of sight again with their last definition, `stopped` the allocas in sight
    whose life has ended, by their name. A forgiven name was reported once; nothing more is said about it. `_hidden` has
    every name in the order of the definitions, with what the name stood for before, by mistake.
    """

    first: Mapping[str, tl.Local]
    known_values: Mapping[str, Values] = field(default_factory=dict)
    visible: dict[str, Definition] = field(default_factory=dict)
    closed: dict[str, tl.Local] = field(default_factory=dict)
    stopped: dict[str, tl.LifetimeStop] = field(default_factory=dict)
    forgiven: set[str] = field(default_factory=set)
    around: tuple[tl.RegionInstruction, ...] = ()
    _hidden: list[tuple[str, Definition | None]] = field(default_factory=list)

    @property
    def depth(self) -> int:
        """The number of regions around this place, the function's own not counted."""
        return len(self.around)

    @property
    def foreach(self) -> tl.Foreach | None:
        """The `foreach` around this place, which makes it part of an spmd region."""
        return next((instruction for instruction in self.around if isinstance(instruction, tl.Foreach)), None)

    def define(
        self, local: tl.Local, type_: Type | None, access: Access | None = None, *, is_alloca: bool = False
    ) -> None:
        """Bring a name in sight; one that hides another is forgiven: nobody can say which value a use means."""
        hidden = self.visible.get(local.name)
        if hidden is None:
            self.forgiven.discard(local.name)
        else:
            self.forgiven.add(local.name)
        self._hidden.append((local.name, hidden))
        self.visible[local.name] = Definition(local, type_, access, self.depth, is_alloca)

    def type_of(self, local: tl.Local) -> Type | None:
        """The type of a name in sight; None where a mistake has been reported already."""
        definition = self.visible.get(local.name)
        return None if definition is None or local.name in self.forgiven else definition.type

    def access_of(self, local: tl.Local) -> Access | None:
        """The memory that a name in sight stands for, if it does and no mistake hides it."""
        definition = self.visible.get(local.name)
        return None if definition is None or local.name in self.forgiven else definition.access

    @contextmanager
    def inside(self, instruction: tl.RegionInstruction) -> Iterator[None]:
        """The scope of a region of the instruction: what is defined there is out of sight afterwards."""
        start, around = len(self._hidden), self.around
        self.around = (*around, instruction)
        yield
        while len(self._hidden) > start:
            self._close(*self._hidden.pop())
        self.around = around

    def _close(self, name: str, hidden: Definition | None) -> None:
        """Take back the last definition of a name; what is known of it does not hold for the next one."""
        definition = self.visible.pop(name)
        if hidden is not None:
            self.visible[name] = hidden
        else:
            self.closed[name] = definition.local
            self.forgiven.discard(name)
            self.stopped.pop(name, None)
