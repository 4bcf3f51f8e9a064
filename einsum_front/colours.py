"""Colours for texts that go to a terminal; NO_COLOR (https://no-color.org) turns them off."""

import os
from typing import TextIO

from pygments import highlight
from pygments.formatters import TerminalFormatter
from pygments.lexers.c_cpp import CLexer

from einsum_front.core.diagnostics.highlight import TensorLanguageLexer, YatetoLanguageLexer

LEXERS = {"yir": YatetoLanguageLexer, "tl": TensorLanguageLexer, "cl": CLexer}


def coloured(text: str, level: str, stream: TextIO) -> str:
    """The text with colours if its level has a lexer and `stream` is a terminal that wants them."""
    if level not in LEXERS or not stream.isatty() or os.environ.get("NO_COLOR"):
        return text
    return str(highlight(text, LEXERS[level](), TerminalFormatter()))
