"""Brackets in a text: which one was forgotten."""

import re

from einsum_front.core.parsing import CLOSING

BRACKET = re.compile(r";[^\n]*|->|[()\[\]<>{}]")


def unclosed_bracket(text: str, offset: int) -> int | None:
    """The place of the innermost bracket that is open at `offset` if it is never closed at all."""
    open_here, _ = _open_brackets(text[:offset])
    open_at_end, forgotten = _open_brackets(text)
    return open_here[-1] if open_here and open_here[-1] in (*open_at_end, *forgotten) else None


def _open_brackets(text: str) -> tuple[list[int], list[int]]:
    """The brackets that are open at the end, and those that were open when an outer one was closed."""
    still_open: list[int] = []
    forgotten: list[int] = []
    for match in BRACKET.finditer(text):
        if match[0] in CLOSING:
            still_open.append(match.start())
        elif match[0] in [CLOSING[text[place]] for place in still_open]:
            while match[0] != CLOSING[text[still_open[-1]]]:
                forgotten.append(still_open.pop())
            still_open.pop()
    return still_open, forgotten
