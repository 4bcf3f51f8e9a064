"""Origins in texts: where in the notation a line came from, behind what stands on it.

    gemm.n.n 1.0, %tmp0, %A, …   ;! from wave.ein:7:20-28        the columns 20 to 28 of line 7, both included
    ;! from wave.ein:6:1-9:1                                      above a function: from line 6 to line 9
    for %l = 0, 8 {   ;! from wave.ein:7:5-9 wave.ein:8:1-12      several places

Languages read them as comments, so a text without them means the same. A name with blanks, quotes or `;` is in double
quotes, as in JSON. A node that is read has its place in the text first, then the places that the comment names.
"""

import re
from collections.abc import Iterator, Mapping
from types import MappingProxyType

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic, Label, Origin, Source, Span

Sources = Mapping[str, Source]
"""The texts that origins may be in, by name."""

NO_SOURCES: Sources = MappingProxyType({})

_COMMENT = re.compile(r"^([^;\n]*);![ \t]*from(?=[ \t]|$)([^\n]*)", re.MULTILINE)
_WORD = re.compile(r'"(?:[^"\\]|\\.)*"\S*|\S+')
_PLACE = re.compile(r'("(?:[^"\\]|\\.)*"|[^\s"]+):([0-9]{1,9}):([0-9]{1,9})-(?:([0-9]{1,9}):)?([0-9]{1,9})')
_PLAIN = re.compile(r'[^\s";]+')

_LINE_BITS = 32


@dataclass(frozen=True)
class UnreadSource(Source):
    """A text that is not at hand: its places are known, what stands there is not.

    An offset is `line << 32 | column`, so that offsets are ordered as in the text.
    """

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset."""
        return offset >> _LINE_BITS, offset & ((1 << _LINE_BITS) - 1)

    def line(self, number: int) -> str:
        """Nothing: the text is not known."""
        return ""


def origin_text(origin: Origin) -> str:
    """The comment that says where a line came from: `;! from wave.ein:7:20-28`; empty without an origin.

    An edited text has its own place first: of places in several texts, those in the last text are named.
    """
    if not origin:
        return ""
    last = origin[-1].source
    places = dict.fromkeys(_place(span) for span in origin if span.source == last)
    return f";! from {' '.join(places)}"


def _place(span: Span) -> str:
    """`wave.ein:7:20-28`: the last column is included."""
    name = span.source.name
    spelled = name if _PLAIN.fullmatch(name) else _quoted(name)
    line, column = span.source.position(span.start)
    last_line, last = span.source.position(span.end)
    return f"{spelled}:{line}:{column}-{'' if line == last_line else f'{last_line}:'}{max(0, last - 1)}"


def _quoted(name: str) -> str:
    import json  # noqa: PLC0415 - few names have blanks or quotes

    return json.dumps(name, ensure_ascii=False)


class Origins:
    """The origins that the comments of a text name, by their lines; `mistakes` are those that cannot be read (E0111).

    Places in a text that is not among the `known` ones, or that is too short for them, are in an `UnreadSource`.
    """

    def __init__(self, source: Source, known: Sources) -> None:
        self.mistakes: list[Diagnostic] = []
        self._source = source
        self._behind: dict[int, Origin] = {}
        self._above: dict[int, Origin] = {}
        """By the line below that is no such comment."""
        for match in _COMMENT.finditer(source.text):
            line, _ = source.position(match.start())
            origin = tuple(self._spans(match.start(2), match.end(2), known))
            if match[1].strip():
                self._behind[line] = origin
            else:
                self._above[line + 1] = self._above.pop(line, ()) + origin

    def at(self, offset: int) -> Origin:
        """What the comment behind the line says that a character stands on."""
        return self._behind.get(self._source.position(offset)[0], ()) if self._behind else ()

    def above(self, offset: int) -> Origin:
        """What the comments right above that line say; facts may stand between."""
        line = self._source.position(offset)[0] if self._above else 0
        while line > 0:
            if line in self._above:
                return self._above[line]
            line -= 1
            if line and not self._source.line(line).lstrip().startswith(";"):
                break
        return ()

    def _spans(self, start: int, end: int, known: Sources) -> Iterator[Span]:
        words = [Span(self._source, *word.span()) for word in _WORD.finditer(self._source.text, start, end)]
        if not words:
            self._report(Span(self._source, start, start), "`;! from` names no place", "such as `wave.ein:7:20-28`")
        for word in words:
            if (match := _PLACE.fullmatch(word.text)) is None:
                self._report(word, f"expected a place such as `wave.ein:7:20-28`, found `{word.text}`")
                continue
            name = _name(match[1])
            if name is None:
                self._report(word, f"the name in `{word.text}` is no text in double quotes")
                continue
            line, column, last = int(match[2]), int(match[3]), int(match[5])
            yield _span(name, (line, column), (int(match[4] or line), last + 1), known)

    def _report(self, span: Span, message: str, label: str = "") -> None:
        self.mistakes.append(Diagnostic("E0111", message, (Label(span, label),)))


def _name(word: str) -> str | None:
    if not word.startswith('"'):
        return word
    import json  # noqa: PLC0415 - as above

    try:
        return str(json.loads(word))
    except ValueError:
        return None


def _span(name: str, first: tuple[int, int], end: tuple[int, int], known: Sources) -> Span:
    """The place in the text of that name, or in one that is not at hand."""
    source = known.get(name)
    start, stop = (None, None) if source is None else (source.offset(*first), source.offset(*end))
    if source is None or start is None or stop is None:
        return Span(UnreadSource(name, ""), first[0] << _LINE_BITS | first[1], end[0] << _LINE_BITS | end[1])
    return Span(source, start, stop)
