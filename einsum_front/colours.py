"""Colours for texts that go to a terminal; NO_COLOR (https://no-color.org) turns them off."""

import os
from typing import TextIO

LEVELS = ("yir", "tl", "cl")
"""The levels that there are colours for."""


def coloured(text: str, level: str, stream: TextIO) -> str:
    """The text with colours if its level has a lexer, `stream` is a terminal that wants them, and pygments is there."""
    if level not in LEVELS or not stream.isatty() or os.environ.get("NO_COLOR"):
        return text
    try:
        from pygments import highlight  # noqa: PLC0415 - for terminals only
    except ModuleNotFoundError:
        return text
    from pygments.formatters import TerminalFormatter  # noqa: PLC0415 - as above
    from pygments.lexers.c_cpp import CLexer  # noqa: PLC0415 - as above

    from einsum_front.core.diagnostics.highlight import (  # noqa: PLC0415 - as above
        TensorLanguageLexer,
        YatetoLanguageLexer,
    )

    lexer = {"yir": YatetoLanguageLexer, "tl": TensorLanguageLexer, "cl": CLexer}[level]
    return str(highlight(text, lexer(), TerminalFormatter()))
