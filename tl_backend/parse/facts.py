"""Facts: structured comments above a function, read into nodes.

    ;! batched %Q                  one element for each work-group, counted by the last mode
    ;! prefetched %I               its memory is fetched while the function runs
    ;! sizes %X n _ 2*n+1          dynamic extents of the modes, `_` for all others
    ;! prologue @f_prologue        the function of the text that runs before each launch

and those of `core.facts`: `modes`, `nonzeros`, `values`, `indices`, `scattered`, `limit`. The comment lines and empty
lines above `func` are searched, and those above an `alloca` for its nonzeros. A line whose first word is no fact is a
comment, unless it is almost one. A fact that stands elsewhere is a mistake.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from difflib import get_close_matches

from einsum_front.core.diagnostics import CompileError, Diagnostic, Source, Span
from einsum_front.core.extent import Polynomial, TooLargeError
from einsum_front.core.extent_text import NoExtentError, parse_extent
from einsum_front.core.facts import FactLine, Limit, Nonzeros, append_fact
from einsum_front.core.limits import LARGEST_DEGREE, MOST_TERMS_OF_SIZES
from einsum_front.core.prologues import PROLOGUE
from einsum_front.core.runs import Runs
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.program import Batched, Fact, Prefetched, Sizes

FACTS = ("batched", "modes", "nonzeros", "prefetched", "values", "sizes", "indices", "scattered", "limit", PROLOGUE)
FACT = re.compile(rf"[ \t]*;![ \t]*({'|'.join(FACTS)})(?![^ \t\r;])([^;]*)")
LIKE_A_FACT = re.compile(r"[ \t]*;![ \t]*([A-Za-z_]+)(?=[ \t]+[%@])([^;]*)")


def read_facts(lines: Iterable[FactLine]) -> tuple[tuple[Fact | Limit, ...], list[Diagnostic]]:
    """The facts of the lines, without the prologue, and what is wrong with them."""
    facts: list[Fact | Limit] = []
    mistakes: list[Diagnostic] = []
    for line in lines:
        if line.keyword.text == PROLOGUE:
            continue
        try:
            append_fact(facts, _read(line, facts))
        except CompileError as error:
            mistakes += error.diagnostics
    return tuple(facts), mistakes


def read_nonzeros(lines: Iterable[FactLine], alloca: tl.Local) -> tuple[Runs | None, list[Diagnostic]]:
    """The nonzeros of a temporary, None if the lines state none, and what is wrong with the lines."""
    runs: Runs | None = None
    mistakes: list[Diagnostic] = []
    for line in lines:
        try:
            fact = _read(line, [])
            if not isinstance(fact, Nonzeros):
                message = f"`;! {line.keyword.text}` is no fact about a temporary"
                raise line.malformed(line.keyword, message, "`nonzeros` is one")
            if fact.argument != alloca.name:
                message = f"the fact is about `%{fact.argument}`, but stands above `%{alloca.name}`"
                raise line.malformed(line.words[0], message)
            runs = (runs or ()) + fact.runs
        except CompileError as error:
            mistakes += error.diagnostics
    return runs, mistakes


class FactLines:
    """The fact lines of a text. The function or `alloca` below takes them; a line that nobody takes is a mistake."""

    def __init__(self, source: Source) -> None:
        self._text = source.text
        self._above: dict[int, list[FactLine]] = {}
        """By the start of the line below that is no comment."""
        start, waiting = 0, list[FactLine]()
        for line in self._text.split("\n"):
            end = start + len(line)
            if line.lstrip()[:1] not in ("", ";"):
                self._above[start], waiting = waiting, []
            elif match := FACT.match(self._text, start, end) or _almost(LIKE_A_FACT.match(self._text, start, end)):
                waiting.append(FactLine.of(source, match.start(1), match.end(2), "E0406"))
            start = end + 1
        self._above[start] = waiting

    def take(self, node_start: int) -> list[FactLine]:
        """The lines above the node that starts at an offset, in the order of the text."""
        start = self._text.rfind("\n", 0, node_start) + 1
        return [] if self._text[start:node_start].strip() else self._above.pop(start, [])

    def left(self) -> Iterator[Diagnostic]:
        """A mistake for each line that nobody took."""
        for line in (line for lines in self._above.values() for line in lines):
            message = f"`;! {line.keyword.text}` stands above no function and no `alloca`"
            yield from line.malformed(line.keyword, message).diagnostics


def _almost(line: re.Match[str] | None) -> re.Match[str] | None:
    """The line if its first word is a misspelt fact."""
    return line if line and get_close_matches(line[1], FACTS, cutoff=0.75) else None


def _read(line: FactLine, before: list[Fact | Limit]) -> Fact | Limit:
    """The fact of one line; `before` ends with the one that it may continue."""
    match line.keyword.text:
        case "batched":
            name = line.argument()
            for word in line.words[2:]:
                raise line.malformed(word, "nothing follows the mode of `;! batched`")
            return Batched(name, _read_mode(line, line.words[1]) if line.words[1:] else None, line.origin)
        case "prefetched":
            name = line.argument()
            for word in line.words[1:]:
                raise line.malformed(word, "nothing follows the argument of `;! prefetched`")
            return Prefetched(name, line.origin)
        case "sizes":
            return Sizes(line.argument(), tuple(_read_size(line, word) for word in line.words[1:]), line.origin)
        case keyword if keyword in FACTS:
            return line.shared(before)
        case keyword:
            (meant,) = get_close_matches(keyword, FACTS, n=1, cutoff=0.75)
            raise line.malformed(line.keyword, f"there is no fact `{keyword}`", f"`{meant}` is one")


def _read_mode(line: FactLine, word: Span) -> int:
    if word.text.isdecimal() and len(word.text) < 4:
        return int(word.text)
    raise line.malformed(word, f"expected the number of the mode that counts the batch, found `{word.text}`")


def _read_size(line: FactLine, word: Span) -> Polynomial | None:
    if word.text == "_":
        return None
    with suppress(NoExtentError):
        try:
            extent = parse_extent(word.text)
        except TooLargeError:
            limits = f"at most {MOST_TERMS_OF_SIZES} terms of a degree up to {LARGEST_DEGREE}"
            raise line.malformed(word, "this polynomial of sizes is too large", limits) from None
        if isinstance(extent, Polynomial):
            return extent
    raise line.malformed(word, f"expected a size such as `n` or `2*n+1`, or `_`, found `{word.text}`")
