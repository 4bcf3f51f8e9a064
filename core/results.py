"""Results of analyses that belong to a value."""

from collections.abc import Callable
from typing import TypeVar, cast

S = TypeVar("S")
T = TypeVar("T")


class Results:
    """What analyses said of one value that never changes; a changed one is another, of which nothing is known yet."""

    __slots__ = ("_found",)

    def __init__(self) -> None:
        self._found: dict[object, object] = {}

    def __reduce__(self) -> "tuple[type[Results], tuple[()]]":
        """A copy knows nothing yet: what analyses said may be large."""
        return Results, ()

    def get(self, analysis: Callable[[S], T], value: S) -> T:
        """Result of an analysis of the value: it runs once, whoever asks first."""
        if analysis not in self._found:
            self._found[analysis] = analysis(value)
        return cast("T", self._found[analysis])
