"""Facts as structured comments, one line each; a long list of nonzeros goes on in further lines."""

from textwrap import wrap

from tl_backend.program import Batched, Fact, Modes, Nonzeros
from tl_backend.unparse.writer import LINE_WIDTH


def fact_lines(fact: Fact) -> list[str]:
    """The comment lines of the fact."""
    match fact:
        case Batched(argument=argument):
            return [f";! batched %{argument}"]
        case Modes(argument=argument, permutation=permutation):
            return [" ".join((f";! modes %{argument}", *map(str, permutation)))]
        case Nonzeros(argument=argument, runs=runs):
            start = f";! nonzeros %{argument}"
            words = " ".join(_run_text(*run) for run in runs)
            return [f"{start} {line}" for line in wrap(words, LINE_WIDTH - len(start) - 1)] or [start]


def _run_text(start: int, end: int) -> str:
    return str(start) if end == start + 1 else f"{start}:{end}"
