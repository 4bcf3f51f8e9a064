"""Facts as structured comments, one line each; a long list of nonzeros or values goes on in further lines."""

from collections.abc import Iterator
from textwrap import wrap

from einsum_front.tl_backend.program import Batched, Fact, Limit, Modes, Nonzeros, Sizes, Values
from einsum_front.tl_backend.unparse.writer import LINE_WIDTH


def fact_lines(fact: Fact) -> list[str]:
    """The comment lines of the fact."""
    match fact:
        case Batched(argument=argument):
            return [f";! batched %{argument}"]
        case Modes(argument=argument, permutation=permutation):
            return [" ".join((f";! modes %{argument}", *map(str, permutation)))]
        case Nonzeros(argument=argument, runs=runs):
            return _lines(f";! nonzeros %{argument}", " ".join(_run_text(*run) for run in runs))
        case Values(argument=argument, entries=entries):
            return _lines(f";! values %{argument}", " ".join(_entry_texts(entries)))
        case Sizes(argument=argument, names=names):
            return [" ".join((f";! sizes %{argument}", *(name or "_" for name in names)))]


def limit_line(limit: Limit) -> str:
    """The comment line of the limit."""
    bounds = f"{limit.least}:{'' if limit.most is None else limit.most + 1}"
    return " ".join((";! limit", limit.name, bounds, *([] if limit.hint is None else [str(limit.hint)])))


def _lines(start: str, words: str) -> list[str]:
    """The words on as many lines as they need, each with the same start."""
    room = LINE_WIDTH - len(start) - 1
    return [f"{start} {line}" for line in wrap(words, room, break_on_hyphens=False)] or [start]


def _run_text(start: int, end: int) -> str:
    return str(start) if end == start + 1 else f"{start}:{end}"


def _entry_texts(entries: tuple[tuple[int, float], ...]) -> Iterator[str]:
    """Numbers in the fewest digits that read back as the same double, with their position where one is left out."""
    expected = 0
    for position, number in entries:
        yield repr(number) if position == expected else f"{position}:{number!r}"
        expected = position + 1
