"""Names for the C code: readable, never reserved, never twice in one place."""

from collections.abc import Iterable


def local_name(name: str) -> str:
    """The wish for the value `%name` of the tensor language: unnamed values are numbers there and get a `v`."""
    return f"v{name}" if name[0].isdigit() else name


class Names:
    """A supply of names; the same requests give the same names."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)

    def fresh(self, wish: str) -> str:
        """The wish itself, or the wish with the first free number after it."""
        name, number = wish, 0
        while name in self._taken:
            number += 1
            name = f"{wish}_{number}"
        self._taken.add(name)
        return name

    def inner(self) -> "Names":
        """A supply for a scope: what it gives out hides nothing, and is free again where the scope ends."""
        return Names(self._taken)
