"""Scope at one place of a function: the names in sight, their types, and the memory that they stand for."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Extent, Size, with_sizes
from einsum_front.core.facts import Limit, Values
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.verify.memory import Memory


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
    closed: set[str] = field(default_factory=set)
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
        self.closed |= self.visible.keys() - before.keys()
        self.visible = before
