"""The text of a kernel at a level: a string that notebooks show with colours, tables and drawings."""

from collections.abc import Callable, Sequence

from einsum_front import inspector, notebook
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Source
from einsum_front.core.words import counted
from einsum_front.driver import Observer, Stages
from einsum_front.driver.texts import operation_count, text
from einsum_front.options import Level
from einsum_front.runtime import Device


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


class ProgramText(str):
    """The text of all kernels at a level; in a notebook a page, in a shell a short line."""

    __slots__ = ("_kernels", "_level")

    _level: Level
    _kernels: Sequence[Stages]

    def __new__(cls, kernels: Sequence[Stages], level: Level) -> "ProgramText":
        """The texts of those kernels that have the level."""
        texts = (text(each, level) for each in kernels)
        new = super().__new__(cls, "\n".join(each for each in texts if each is not None))
        new._kernels, new._level = kernels, level
        return new

    def __str__(self) -> str:
        return str.__str__(self)[:]

    def __repr__(self) -> str:
        """`<plan of 3 kernels: 60 lines>`; `print` shows the text."""
        return f"<{self._level.value} of {counted(len(self._kernels), 'kernel')}: {len(self.splitlines())} lines>"

    def _repr_html_(self) -> str:
        return notebook.levels_html(self._kernels, self._level)

    def __reduce__(self) -> tuple[type[str], tuple[str]]:
        """Elsewhere it is the text alone."""
        return str, (str(self),)


# -- the text that kernels came from, for the inspector ----------------------------------------------------------------
# It is translated once more, with an observer.


@dataclass(frozen=True, slots=True)
class Text:
    """The text that kernels came from, its level, and how to translate it once more, one kernel of it or all."""

    source: Source
    level: Level
    translate: Callable[[Observer, str | None], tuple[Stages, ...]]

    def page(self, kernel: str | None, edited: Source | None, device: Device | None) -> "inspector.Page":
        """The page of a kernel, or of all."""

        def translate(observe: Observer) -> tuple[Stages, ...]:
            return tuple(each for each in self.translate(observe, kernel) if kernel in (None, each.name))

        return inspector.page_of(kernel or self.source.name, translate, (self.source, self.level), edited, device)
