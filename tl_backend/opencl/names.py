"""Names for the C code: readable, never reserved, never twice in one place."""

from collections.abc import Iterable


def local_name(name: str) -> str:
    """The wish for the value `%name` of the tensor language: unnamed values are numbers there and get a `v`."""
    return f"v{name}" if name[0].isdigit() else name


class Names:
    """A supply of names; the same requests give the same names."""

    def __init__(self, taken: Iterable[str], outer: "Names | None" = None) -> None:
        self._taken = set(taken)
        self._outer = outer
        self._next: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        """The wish itself, or the wish with the first free number after it."""
        number = self._next.get(wish, 0)
        while self._is_taken(name := f"{wish}_{number}" if number else wish):
            number += 1
        self._taken.add(name)
        self._next[wish] = number + 1
        return name

    def inner(self) -> "Names":
        """A supply for a scope: what it gives out hides nothing, and is free again where the scope ends."""
        return Names((), self)

    def _is_taken(self, name: str) -> bool:
        """Whether the name is taken in this scope or in one around it; a scope has no copy, a kernel has thousands."""
        return name in self._taken or (self._outer is not None and self._outer._is_taken(name))
