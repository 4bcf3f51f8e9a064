"""Names that are not taken."""

from collections.abc import Container, Iterable, Iterator
from itertools import chain, count


def fresh_numbered(name: str, *taken: Container[str]) -> str:
    """The name, or the first of `name1`, `name2`, … that nobody has taken: for indices, views and copies."""
    candidates = (name if number == 0 else f"{name}{number}" for number in count())
    return next(candidate for candidate in candidates if not any(candidate in each for each in taken))


class Names:
    """A supply of names that are not taken; the same requests give the same names.

    A stem goes on where it ended: the thousandth name of one costs as much as the first.
    """

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._candidates: dict[tuple[str, str, bool], Iterator[str]] = {}

    def fresh(self, name: str) -> str:
        """The name, or the first of `name_0`, `name_1`, … that is free."""
        return self._next(name, "_", is_bare=True)

    def numbered(self, stem: str) -> str:
        """The first of `stem0`, `stem1`, … that is free."""
        return self._next(stem, "", is_bare=False)

    def like(self, name: str) -> str:
        """The name, or the first of `name1`, `name2`, … that is free."""
        return self._next(name, "", is_bare=True)

    def _next(self, stem: str, joint: str, *, is_bare: bool) -> str:
        first = 1 if is_bare and not joint else 0
        numbers = (f"{stem}{joint}{number}" for number in count(first))
        candidates = self._candidates.setdefault((stem, joint, is_bare), chain((stem,) if is_bare else (), numbers))
        name = next(candidate for candidate in candidates if candidate not in self._taken)
        self._taken.add(name)
        return name
