"""Texts and places in them."""

from bisect import bisect_right
from functools import cached_property

from einsum_front.core.dataclass import dataclass


@dataclass(frozen=True)
class Source:
    """A text with a name: the file as the user wrote it on the command line, or what stands for it, `<string>`."""

    name: str
    text: str

    @cached_property
    def _line_starts(self) -> tuple[int, ...]:
        return (0, *(i + 1 for i, character in enumerate(self.text) if character == "\n"))

    @property
    def line_count(self) -> int:
        """Number of lines; a text without a newline has one."""
        return len(self._line_starts)

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of a character offset, both counted from 1."""
        line = bisect_right(self._line_starts, offset)
        return line, offset - self._line_starts[line - 1] + 1

    def offset(self, line: int, column: int) -> int | None:
        """The offset of a line and a column, both counted from 1; None if the text has no such place."""
        if not 1 <= line <= self.line_count or column < 1:
            return None
        end = self._line_starts[line] if line < self.line_count else len(self.text) + 1
        offset = self._line_starts[line - 1] + column - 1
        return offset if offset < end else None

    def line(self, number: int) -> str:
        """The text of a line (counted from 1) without its end."""
        start = self._line_starts[number - 1]
        end = self._line_starts[number] - 1 if number < len(self._line_starts) else len(self.text)
        return self.text[start:end].rstrip("\r")


@dataclass(frozen=True, slots=True)
class Span:
    """The characters `start` (included) to `end` (excluded) of a source."""

    source: Source
    start: int
    end: int

    @property
    def text(self) -> str:
        """The characters themselves."""
        return self.source.text[self.start : self.end]

    def to(self, other: "Span") -> "Span":
        """The span from the start of this one to the end of `other`, in the same source."""
        return Span(self.source, min(self.start, other.start), max(self.end, other.end))


Origin = tuple[Span, ...]
"""Where a node came from: the spans of the source text that it stands for. Never part of what a node is."""
