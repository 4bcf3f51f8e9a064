"""The text that kernels came from, for the inspector: it is translated once more, with an observer."""

from collections.abc import Callable

from einsum_front import inspector
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Source
from einsum_front.driver import Observer, Stages
from einsum_front.options import Level
from einsum_front.runtime import Device


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
