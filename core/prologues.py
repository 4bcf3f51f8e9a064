"""What runs before a kernel: `;! prologue @f_once` above a function makes another one of the text a part of it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import Field, replace
from typing import Any, ClassVar, Protocol, Self, TypeVar

from einsum_front.core.diagnostics import Diagnostic, Label, Span, raise_any
from einsum_front.core.facts import FactLine

PROLOGUE = "prologue"
_FUNCTION = re.compile(r"@([0-9]+|[A-Za-z][A-Za-z0-9_]*)")


class HasPrologue(Protocol):
    """A function of a language, which is a dataclass."""

    __dataclass_fields__: ClassVar[dict[str, Field[Any]]]

    @property
    def name(self) -> str:
        """That of the text, without its `@`."""

    @property
    def prologue(self) -> Self | None:
        """What runs before; a prologue has none itself."""


F = TypeVar("F", bound=HasPrologue)


def with_prologues(functions: Iterable[F]) -> tuple[F, ...]:
    """The functions as a text has them: a prologue stands in front of the first that has it."""
    found: list[F] = []
    for function in functions:
        if function.prologue is not None and function.prologue not in found:
            found.append(function.prologue)
        found.append(function)
    return tuple(found)


def read_prologue(lines: Iterable[FactLine]) -> Span | None:
    """The name of the prologue, with its `@`, that the facts above a function tell; None if it has none."""
    named = [line for line in lines if line.keyword.text == PROLOGUE]
    for line in named:
        if len(line.words) != 1 or not _FUNCTION.fullmatch(line.words[0].text):
            place = line.words[0] if line.words else line.keyword
            raise line.malformed(place, "expected the name of one function, such as `@f_prologue`")
    for line in named[1:]:
        raise line.malformed(line.keyword, "a function has one prologue", "a second one")
    return named[0].words[0] if named else None


def with_parts(functions: Sequence[F], names: Sequence[Span | None], code: str) -> tuple[F, ...]:
    """The functions without those that are prologues, which are parts of the others now; `names` has one for each.

    Raises `CompileError` with the `code` for names of no function, and of one that has a prologue itself.
    """
    mistakes = [each for name in names if name is not None for each in _mistakes(name, functions, names, code)]
    raise_any(mistakes)
    first = {function.name: function for function in reversed(functions)}
    parts = [None if name is None else first[name.text[1:]] for name in names]
    whole = (replace(each, prologue=part) for each, part in zip(functions, parts, strict=True))
    return tuple(
        each for each, before in zip(whole, functions, strict=True) if not any(part is before for part in parts)
    )


def _mistakes(
    name: Span, functions: Sequence[HasPrologue], names: Sequence[Span | None], code: str
) -> Iterator[Diagnostic]:
    known = [function.name for function in functions]
    if name.text[1:] not in known:
        yield Diagnostic(code, f"there is no function `{name.text}` in the text", (Label(name),))
    elif (own := names[known.index(name.text[1:])]) is not None:
        labels = (Label(name), Label(own, "its own"))
        yield Diagnostic(code, f"`{name.text}` has a prologue itself, so it cannot be one", labels)
