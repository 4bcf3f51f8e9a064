"""Names of the notation for what a script names: groups become families, `fP(2)` is `fP{2}`.

A group with gaps or with members of several shapes is no family: its members are declared alone, `dQ_3`. Words that
the notation keeps for itself, and names that are taken, get an underscore.
"""

from collections.abc import Callable, Hashable, Iterable, Mapping
from itertools import product
from typing import Generic, TypeVar

from einsum_front.core.dataclass import dataclass
from einsum_front.notation import syntax
from einsum_front.notation.words import WORDS
from einsum_front.yateto.identifiers import IdentifiedType

T = TypeVar("T", bound=IdentifiedType)
Group = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Family(Generic[T]):
    """Declarations under one name: one thing (no extents), or the members of a group, numbered from 0 on."""

    name: str
    extents: tuple[int, ...]
    members: Mapping[Group, T]

    def arguments(self) -> dict[str, T]:
        """The members by the names of their arguments, `fP_2`."""
        return {argument(self.name, group): member for group, member in self.members.items()}


class Names:
    """The names that are taken, and what each tensor and scalar is called."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._called: dict[IdentifiedType, tuple[str, Group]] = {}

    def claim(self, named: Iterable[T], alike: Callable[[T], Hashable]) -> list[Family[T]]:
        """Declarations for some tensors or scalars; members of a family have the same `alike`."""
        groups: dict[str, dict[Group, T]] = {}
        for each in named:
            groups.setdefault(each.baseName(), {})[each.group()] = each
        return [family for base, members in groups.items() for family in self._families(base, members, alike)]

    def reference(
        self, named: IdentifiedType, positions: tuple[syntax.Position, ...] | None = None
    ) -> syntax.Reference:
        """A tensor with an index list, or a scalar without."""
        name, numbers = self._called[named]
        return syntax.Reference(name, literals(numbers), positions)

    def _families(self, base: str, members: Mapping[Group, T], alike: Callable[[T], Hashable]) -> list[Family[T]]:
        extents = (
            tuple(max(numbers) + 1 for numbers in zip(*members, strict=True)) if _are_of_one_order(members) else ()
        )
        is_whole = set(members) == set(product(*map(range, extents)))
        if is_whole and len({alike(member) for member in members.values()}) == 1:
            return [self._family(base, extents, dict(sorted(members.items())))]
        return [self._family(argument(base, group), (), {(): member}) for group, member in sorted(members.items())]

    def _family(self, wanted: str, extents: tuple[int, ...], members: Mapping[Group, T]) -> Family[T]:
        name = wanted
        while name in WORDS or not self._taken.isdisjoint({name, *(argument(name, group) for group in members)}):
            name += "_"
        self._taken |= {name, *(argument(name, group) for group in members)}
        self._called |= {member: (name, group) for group, member in members.items()}
        return Family(name, extents, members)


def free(wanted: str, taken: Iterable[str]) -> str:
    """A name of the notation that is not taken."""
    while wanted in WORDS or wanted in taken:
        wanted += "_"
    return wanted


def argument(name: str, group: Group) -> str:
    """The name of a member as an argument of kernels."""
    return "_".join((name, *map(str, group)))


def literals(numbers: Iterable[int]) -> tuple[syntax.Expression, ...]:
    """Numbers of the notation."""
    return tuple(syntax.Literal(str(number)) for number in numbers)


def _are_of_one_order(members: Iterable[Group]) -> bool:
    return len({len(group) for group in members}) == 1
