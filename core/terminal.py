"""Lines, tables and signs of life: styles and widths on a terminal, plain text in a pipe or a file.

NO_COLOR (https://no-color.org) takes styles away, FORCE_COLOR treats a pipe as a terminal.
"""

import os
import re
import shutil
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from textwrap import wrap
from typing import TextIO
from unicodedata import combining, east_asian_width

from einsum_front.core.dataclass import dataclass

GAP = 2
"""Spaces between the columns of a table."""

LEAST_WIDTH = 8
"""Columns of texts do not get narrower than this."""

STYLE = re.compile(r"\x1b\[[\d;]*m")
BACK, CLEAR_LINE = "\x1b[0m", "\r\x1b[2K"


def bold(text: str) -> str:
    """The text in bold, where there are styles."""
    return f"\x1b[1m{text}{BACK}"


def italic(text: str) -> str:
    """The text in italics, where there are styles."""
    return f"\x1b[3m{text}{BACK}"


def green(text: str) -> str:
    """What is as it should be."""
    return f"\x1b[32m{text}{BACK}"


def red(text: str) -> str:
    """What is not."""
    return f"\x1b[1;31m{text}{BACK}"


def is_terminal(stream: TextIO) -> bool:
    """True for a terminal, and for all streams if the environment has FORCE_COLOR."""
    return bool(os.environ.get("FORCE_COLOR")) or stream.isatty()


def has_styles(stream: TextIO) -> bool:
    """True for a terminal that is not asked for plain text."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR")


@dataclass(frozen=True, slots=True)
class Table:
    """Columns of texts, which are folded where a terminal is too narrow, and behind them columns of numbers."""

    texts: Sequence[str]
    numbers: Sequence[str]
    rows: Sequence[Sequence[str]]
    """Cells of the texts, then of the numbers, then of a last column without a head, if there is one."""


def say(line: str | Table = "", stream: TextIO | None = None) -> None:
    """Prints a line, or the lines of a table; to the standard output, if no stream is given."""
    stream = sys.stdout if stream is None else stream
    width = shutil.get_terminal_size().columns if is_terminal(stream) else None
    for each in _lines(line, width) if isinstance(line, Table) else [line]:
        stream.write(f"{each if has_styles(stream) else STYLE.sub('', each)}\n")


def _lines(table: Table, most: int | None) -> Iterator[str]:
    heads = [bold(head) for head in (*table.texts, *table.numbers)]
    count = max((len(heads), *map(len, table.rows)))
    cells = [[*row, *[""] * (count - len(row))] for row in (heads, *table.rows)]
    widths = [max(_width(part) for cell in column for part in cell.split("\n")) for column in zip(*cells, strict=True)]
    if most is not None:
        _fold(widths, [*range(len(table.texts)), *range(len(heads), count)], most)
    right = range(len(table.texts), len(heads))
    for row in cells:
        parts = [_parts(cell, width) for cell, width in zip(row, widths, strict=True)]
        for number in range(max(map(len, parts))):
            line = [each[number] if number < len(each) else "" for each in parts]
            padded = (
                _padded(part, width, i in right) for i, (part, width) in enumerate(zip(line, widths, strict=True))
            )
            yield (" " * GAP).join(padded).rstrip()


def _fold(widths: list[int], columns: Sequence[int], most: int) -> None:
    """Makes the widest of these columns narrower until a line fits, as far as that goes."""
    while sum(widths) + GAP * (len(widths) - 1) > most:
        widest = max(columns, key=lambda column: widths[column])
        if widths[widest] <= LEAST_WIDTH:
            return
        widths[widest] -= 1


def _parts(cell: str, width: int) -> list[str]:
    """The lines of a cell; who has a style is not folded."""
    lines = cell.split("\n")
    return [part for line in lines for part in (wrap(line, width) if _width(line) > width else [line])]


def _padded(part: str, width: int, is_right: bool) -> str:
    space = " " * (width - _width(part))
    return space + part if is_right else part + space


def _width(text: str) -> int:
    """The columns of a terminal that a line takes: letters of East Asia have two, accents none."""
    plain = STYLE.sub("", text)
    if plain.isascii():
        return len(plain)
    return sum(0 if combining(each) else 2 if east_asian_width(each) in "WF" else 1 for each in plain)


class Sign:
    """One line on the standard error that says what is done now, and goes away; nothing if it is no terminal."""

    def __init__(self) -> None:
        self._stream = sys.stderr
        self._is_shown = False

    def show(self, what: str) -> None:
        """Says this in the place of what was said before."""
        if is_terminal(self._stream):
            self._is_shown = True
            self._stream.write(f"{CLEAR_LINE}{what[: shutil.get_terminal_size().columns - 1]}")
            self._stream.flush()

    def clear(self) -> None:
        """Takes the line away."""
        if self._is_shown:
            self._is_shown = False
            self._stream.write(CLEAR_LINE)
            self._stream.flush()


@contextmanager
def sign_of_life(what: str = "") -> Iterator[Sign]:
    """A line that says what is done, and is gone at the end."""
    sign = Sign()
    if what:
        sign.show(what)
    try:
        yield sign
    finally:
        sign.clear()
