"""The fact `prologue`: a function of the text becomes a part of the function that it is for."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from einsum_front.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.tl_backend.parse.facts import PROLOGUE, lines_above, malformed
from einsum_front.tl_backend.program import Function

FUNCTION = re.compile(r"@([0-9]+|[A-Za-z][A-Za-z0-9_]*)")


def read_prologue(source: Source, function_start: int) -> Span | None:
    """The name of the prologue of the function that starts at an offset, with its `@`; None if it has none."""
    named = [line for line in lines_above(source, function_start) if line[0].text == PROLOGUE]
    for keyword, words in named:
        if len(words) != 1 or not FUNCTION.fullmatch(words[0].text):
            raise malformed(words[0] if words else keyword, "expected the name of one function, such as `@f_prologue`")
    for keyword, _ in named[1:]:
        raise malformed(keyword, "a function has one prologue", "a second one")
    return named[0][1][0] if named else None


def with_parts(functions: Sequence[Function], names: Sequence[Span | None]) -> tuple[Function, ...]:
    """The functions without those that are prologues, which are parts of the others now; `names` has one for each.

    Raises `CompileError` (E0452) for names of no function, and of one that has a prologue itself.
    """
    mistakes = [each for name in names if name is not None for each in _mistakes(name, functions, names)]
    if mistakes:
        raise CompileError(mistakes)
    first = {function.name: function for function in reversed(functions)}
    parts = [None if name is None else first[name.text[1:]] for name in names]
    whole = (replace(each, prologue=part) for each, part in zip(functions, parts, strict=True))
    return tuple(
        each for each, before in zip(whole, functions, strict=True) if not any(part is before for part in parts)
    )


def _mistakes(name: Span, functions: Sequence[Function], names: Sequence[Span | None]) -> Iterator[Diagnostic]:
    known = [function.name for function in functions]
    if name.text[1:] not in known:
        yield Diagnostic("E0452", f"there is no function `{name.text}` in the text", (Label(name),))
    elif (own := names[known.index(name.text[1:])]) is not None:
        labels = (Label(name), Label(own, "its own"))
        yield Diagnostic("E0452", f"`{name.text}` has a prologue itself, so it cannot be one", labels)
