"""Parts of a page: the kernels of a text at every level, what each pass made, and what is wrong with the text."""

from collections.abc import Callable, Iterable
from dataclasses import field

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.driver import LevelValue, Observer, Stages
from einsum_front.driver.texts import level_text, suffix_of
from einsum_front.driver.trace import Traced, trace
from einsum_front.edited import with_source
from einsum_front.options import Level


@dataclass(frozen=True, slots=True)
class Step:
    """What a pass made of a kernel, as text; `level` is the suffix of its language."""

    name: str
    level: str
    text: str


@dataclass(frozen=True, slots=True)
class Inspected:
    """A kernel at the levels below the notation, and what the passes made of it on its way."""

    stages: Stages
    levels: tuple[Traced, ...]
    steps: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Collected:
    """The kernels of a text, or the mistakes in it."""

    kernels: tuple[Inspected, ...] = ()
    diagnostics: tuple[Diagnostic, ...] = ()


@dataclass(slots=True)
class Passes:
    """The observer that keeps what passes make, as text."""

    steps: dict[str, list[Step]] = field(default_factory=dict)

    def __call__(self, kernel: str, step: Level | str, value: LevelValue) -> None:
        """The text of a pass, and those that the passes of a level begin with."""
        if not isinstance(step, Level) or step is Level.TL:
            name = step.value if isinstance(step, Level) else step
            self.steps.setdefault(kernel, []).append(Step(name, suffix_of(value), level_text(value)))


def collect(translate: Callable[[Observer], tuple[Stages, ...]], edited: Source | None = None) -> Collected:
    """Translates with an observer; mistakes of the text become a part of what is shown.

    `edited` is OpenCL C in the place of what is generated, for the one kernel of the text.
    """
    passes = Passes()
    try:
        kernels = translate(passes)
        return Collected(tuple(inspected(each, edited, passes.steps.get(each.name, ())) for each in kernels))
    except CompileError as error:
        return Collected(diagnostics=error.diagnostics)


def inspected(stages: Stages, edited: Source | None = None, steps: Iterable[Step] = ()) -> Inspected:
    """A kernel at its levels; what was edited is shown as one more pass."""
    found = list(steps)
    if edited is not None:
        with_source(stages.artifact, edited, stages.name)  # the launch relies on its head
        texts = (("generated", stages.artifact.source), ("edited", edited.text))
        found += [Step(name, Level.CL.value, text) for name, text in texts]
    return Inspected(stages, trace(stages, edited), tuple(found))


def sources_of(kernel: Inspected) -> dict[str, Source]:
    """The texts that the lines of a kernel came from and that are none of its levels, by name."""
    levels = {each.source.name for each in kernel.levels}
    spans = (span for each in kernel.levels for origin in each.origins for span in origin)
    return {span.source.name: span.source for span in spans if span.source.name not in levels}
