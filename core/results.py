"""Results of analyses that belong to a value."""

from collections.abc import Callable
from typing import Self, TypeVar, cast

T = TypeVar("T")


class Results(dict[object, object]):
    """What analyses said of one value that never changes; a changed one is another, of which nothing is known yet."""

    def __reduce__(self) -> "tuple[type[Results], tuple[()]]":
        """A copy knows nothing yet: what analyses said may be large."""
        return Results, ()


class Analysed:
    """A value that never changes, and keeps what analyses said of it."""

    __slots__ = ()

    _results: Results

    def get(self, analysis: "Callable[[Self], T]") -> T:
        """Result of an analysis of the value: it runs once, whoever asks first."""
        if analysis not in self._results:
            self._results[analysis] = analysis(self)
        return cast("T", self._results[analysis])
