"""Which kernels of a text are asked for."""

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Origin, Source, Span
from einsum_front.options import Options


def choose(names: list[str], options: Options, place: Origin) -> frozenset[str]:
    """The kernels that are asked for: one by its name, or a family by its stem. `place` is shown if there are none."""
    if not names:
        labels = tuple(Label(span, "no kernel up to the end of the text") for span in place[:1])
        raise CompileError([Diagnostic("E0229", "the text has nothing to compile", labels)])
    if options.kernel is None:
        return frozenset(names)
    chosen = frozenset(n for n in names if n == options.kernel or _is_member(n, options.kernel))
    if not chosen:
        raise CompileError([_no_such_kernel(options.kernel, names)])
    return chosen


def start_of(source: Source) -> Origin:
    """The place that a text without kernels is shown at."""
    return (Span(source, 0, 0),)


def _is_member(name: str, family: str) -> bool:
    tail = name.removeprefix(f"{family}_")
    return tail != name and all(part.isdigit() for part in tail.split("_"))


def _no_such_kernel(name: str, names: list[str]) -> Diagnostic:
    listed = ", ".join(f"`{each}`" for each in names)
    return Diagnostic("E0221", f"there is no kernel `{name}`", notes=(f"the text has {listed}",))
