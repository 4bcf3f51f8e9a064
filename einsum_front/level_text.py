"""The text of a kernel at a level: a string that notebooks show with colours, tables and drawings."""

from einsum_front import notebook
from einsum_front.driver import Stages
from einsum_front.driver.texts import operation_count, text
from einsum_front.options import Level


class LevelText(str):
    """A `str` like any other; at the end of a notebook's cell it is a page, and in a shell a short line."""

    __slots__ = ("_level", "_stages")

    _level: Level
    _stages: Stages

    def __new__(cls, stages: Stages, level: Level) -> "LevelText":
        """The text of a level that the kernel has."""
        new = super().__new__(cls, text(stages, level) or "")
        new._stages, new._level = stages, level
        return new

    def __str__(self) -> str:
        return str.__str__(self)[:]

    def __repr__(self) -> str:
        """`<plan of volume: 42 lines, 4230 operations>`; `print` shows the text."""
        lines = len(self.splitlines())
        return (
            f"<{self._level.value} of {self._stages.name}: {lines} lines, {operation_count(self._stages)} operations>"
        )

    def _repr_html_(self) -> str:
        return notebook.level_html(self._stages, self._level)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Elsewhere it is the text alone."""
        return str, (str(self),)
