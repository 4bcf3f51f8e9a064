"""Names that are not taken, and those of the parts of a complex scalar."""

from collections.abc import Container, Iterable
from itertools import count


def fresh_numbered(name: str, *taken: Container[str]) -> str:
    """The name, or the first of `name1`, `name2`, … that nobody has taken: for indices, views and copies."""
    candidates = (name if number == 0 else f"{name}{number}" for number in count())
    return next(candidate for candidate in candidates if not any(candidate in each for each in taken))


def parts_of_scalar(name: str) -> tuple[str, str]:
    """The real scalars that kernels have in the place of a complex one."""
    return f"{name}_re", f"{name}_im"


class Names:
    """A supply of names, each given once; the same requests give the same names.

    A stem goes on where it ended: the thousandth name of one costs as much as the first.
    """

    def __init__(self, taken: Iterable[str] = (), outer: "Names | None" = None) -> None:
        self._taken = set(taken)
        self._outer = outer
        self._next: dict[tuple[str, str, bool], int] = {}

    def fresh(self, stem: str) -> str:
        """The first of `stem`, `stem_1`, `stem_2`, … that is free."""
        return self._first(stem, "_", is_bare=True)

    def like(self, stem: str) -> str:
        """The first of `stem`, `stem1`, `stem2`, … that is free."""
        return self._first(stem, "", is_bare=True)

    def numbered(self, stem: str) -> str:
        """The first of `stem0`, `stem1`, … that is free."""
        return self._first(stem, "", is_bare=False)

    def inner(self) -> "Names":
        """A supply for a scope: what it gives hides nothing, and is free again where the scope ends."""
        return Names((), self)

    def _first(self, stem: str, joint: str, *, is_bare: bool) -> str:
        number = self._next.get((stem, joint, is_bare), 0)
        while self._is_taken(name := stem if is_bare and number == 0 else f"{stem}{joint}{number}"):
            number += 1
        self._taken.add(name)
        self._next[stem, joint, is_bare] = number + 1
        return name

    def _is_taken(self, name: str) -> bool:
        """True if this scope or one around it has the name; a scope has no copy, a kernel has thousands."""
        return name in self._taken or (self._outer is not None and self._outer._is_taken(name))
