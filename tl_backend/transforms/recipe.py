"""Recipes: lists of steps with a text, which say how the loops of a kernel run.

    file   = { recipe } [ "others by model" ]
    recipe = "schedule" name [ "of" form ] [ "for" text ] ( "{" { line } "}" | "by" schedule )
    line   = step of the forms of `STEPS`, "#" comment

    schedule volume for "AMD Zen 4" {
      interleave e by 4                      # four elements in the lanes of a vector
      stage I, star_*
      compress k of kDivM_0
      prefetch I distance 2
    }

A file has a recipe for each of the kernels, or says that the model chooses for the others. One of a form is for all
kernels of that form (`portable`), whatever they are called.
"""

import re
from collections.abc import Callable
from dataclasses import field, replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.words import listed
from einsum_front.tl_backend.loops.nodes import Loops
from einsum_front.tl_backend.transforms import STEPS, IllegalStepError, applied

_OTHERS = "others by model"
_HEAD = re.compile(
    r'schedule\s+([A-Za-z_][A-Za-z0-9_]*)(?:\s+of\s+([0-9a-f]+))?(?:\s+for\s+"([^"\n]*)")?\s*(?:\{|by\s+(\S+))'
)


@dataclass(frozen=True, slots=True)
class Line:
    """A step as it is written, without the spaces around it."""

    text: str
    origin: Origin = field(default=(), compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Recipe:
    """The steps for the kernel `name`, or another schedule; `machine` says what it was made for, to people.

    If there is a `form`, it is for all kernels of that form, and has no names of theirs.
    """

    name: str
    lines: tuple[Line, ...] = ()
    machine: str = ""
    form: str = ""
    by: str = ""

    def __str__(self) -> str:
        form = f" of {self.form}" if self.form else ""
        machine = f' for "{self.machine}"' if self.machine else ""
        head = f"schedule {self.name}{form}{machine}"
        if self.by:
            return f"{head} by {self.by}\n"
        return "\n".join([f"{head} {{", *(f"  {line.text}" for line in self.lines), "}", ""])

    def then(self, text: str) -> "Recipe":
        """The recipe with a step more."""
        return replace(self, lines=(*self.lines, Line(text)))


@dataclass(frozen=True, slots=True)
class Recipes:
    """The recipes of a file, and whether the model chooses for kernels that have none."""

    recipes: tuple[Recipe, ...]
    has_others: bool = False

    def of(self, kernel: str, form: Callable[[], str]) -> Recipe | None:
        """The recipe of a kernel of a form; None if the model chooses.

        Raises `CompileError` (E0304) if nothing is said of it.
        """
        for each in self.recipes:
            if form() == each.form if each.form else each.name == kernel:
                return each
        if self.has_others:
            return None
        known = listed([f"`{each.name}`" for each in self.recipes])
        note = "a last line `others by model` leaves the other kernels to the model"
        raise CompileError(
            [Diagnostic("E0304", f"there is no schedule of `{kernel}`: the file has {known}", notes=(note,))]
        )


def read_recipes(source: Source) -> Recipes:
    """The recipes of a text; raises `CompileError` (E0914) where it is none."""
    found: list[Recipe] = []
    lines: list[Line] = []
    head: re.Match[str] | None = None
    start, has_others = 0, False
    for written in source.text.splitlines(keepends=True):
        text = written.split("#")[0].strip()
        place = Span(source, start + written.find(text), start + written.find(text) + len(text))
        start += len(written)
        if not text:
            continue
        if has_others:
            raise _mistake(f"nothing stands after `{_OTHERS}`, but `{text}` does", place)
        if head is None and text == _OTHERS:
            has_others = True
        elif head is None:
            head, lines = _HEAD.fullmatch(text), []
            if head is None:
                raise _mistake(f"expected `schedule NAME {{`, found `{text}`", place)
            if head[4]:
                found.append(Recipe(head[1], (), head[3] or "", head[2] or "", head[4]))
                head = None
        elif text == "}":
            found.append(Recipe(head[1], tuple(lines), head[3] or "", head[2] or ""))
            head = None
        else:
            _check(text, place)
            lines.append(Line(text, (place,)))
    if head is not None or not found:
        end = Span(source, *[len(source.text.rstrip())] * 2)
        raise _mistake("expected `}`" if head else "expected `schedule NAME {`, found the end of the text", end)
    return Recipes(tuple(found), has_others)


def _check(text: str, place: Span) -> None:
    name, _, rest = text.partition(" ")
    step = STEPS.get(name)
    if step is None:
        known = listed([f"`{each}`" for each in STEPS], "and")
        raise _mistake(f"there is no step `{name}`: there are {known}", place)
    if step.arguments(rest) is None:
        raise _mistake(f"`{text}` is not of the form `{step.usage}`", place)


def _mistake(message: str, place: Span) -> CompileError:
    return CompileError([Diagnostic("E0914", message, (Label(place),))])


def follow(recipe: Recipe, loops: Loops) -> Loops:
    """The loops after all steps; raises `CompileError` (E0915) with the step that is not legal, and why."""
    for number, line in enumerate(recipe.lines, 1):
        name, _, rest = line.text.partition(" ")
        step = STEPS[name]
        arguments = step.arguments(rest)
        if arguments is None:
            raise CompileError([Diagnostic("E0914", f"`{line.text}` is not of the form `{step.usage}`")])
        try:
            loops = applied(loops, step, arguments)
        except IllegalStepError as error:
            labels = tuple(Label(span, str(error)) for span in line.origin[:1])
            message = f"step {number} of the schedule of `{recipe.name}` is not legal: `{line.text}`"
            raise CompileError([Diagnostic("E0915", message, labels, () if labels else (str(error),))]) from None
    return loops
