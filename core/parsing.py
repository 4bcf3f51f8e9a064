"""What the parsers of the two lower languages share: places of what was read, and words for what was expected."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar, cast

from lark import Token, Transformer, UnexpectedInput, UnexpectedToken

from einsum_front.core.diagnostics import CompilerBug, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.origins import NO_SOURCES, Origins, Sources
from einsum_front.core.words import listed

T_co = TypeVar("T_co", covariant=True)


@dataclass(frozen=True, slots=True)
class Placed(Generic[T_co]):
    """What a piece of text stands for, and where it stands."""

    value: T_co
    span: Span

    @property
    def origin(self) -> Origin:
        """The place as the origin of a node."""
        return (self.span,)


class _Node(Protocol):
    @property
    def origin(self) -> Origin:
        """Where the node stands."""


class PlacedReader(Transformer[Token, Any]):
    """Makes nodes of one source; mistakes that the grammar cannot see are collected in `diagnostics`.

    Texts that the source says it came from are among the `known` ones, if they are at hand.
    """

    def __init__(self, source: Source, known: Sources = NO_SOURCES) -> None:
        super().__init__()
        self._source = source
        self._origins = Origins(source, known)
        self.diagnostics: list[Diagnostic] = [*self._origins.mistakes]

    def _span(self, token: Token) -> Span:
        if token.start_pos is None:
            raise CompilerBug(f"the token {token!r} has no place")
        return Span(self._source, token.start_pos, token.start_pos + len(token))

    def _from(self, first: Token | _Node, last: Token | _Node) -> Origin:
        """The place from one part of a node to another, both included, and then what is said of its first line."""
        span = self._place(first).to(self._place(last))
        return span, *self._origins.at(span.start)

    def _place(self, part: Token | _Node) -> Span:
        return self._span(part) if isinstance(part, Token) else part.origin[0]

    def _report(self, code: str, message: str, span: Span, label: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, (Label(span, label),)))


# -- syntax errors -----------------------------------------------------------------------------------------------------


def word_found(source: Source, error: UnexpectedInput, word: re.Pattern[str]) -> Span:
    """The word that does not fit; at the end of the text an empty one, right behind the last."""
    at_end = isinstance(error, UnexpectedToken) and error.token.type == "$END"
    position = cast("int | None", error.pos_in_stream)
    match = None if at_end or position is None else word.match(source.text, position)
    return Span(source, *match.span()) if match else Span(source, *[len(source.text.rstrip())] * 2)


def accepted_terminals(error: UnexpectedInput) -> set[str]:
    """The names of the terminals that could have stood where the parser stopped."""
    accepted: set[str] = error.interactive_parser.accepts()  # type: ignore[no-untyped-call]  # lark left it untyped
    return accepted


def alternatives(accepted: Iterable[str], groups: Sequence[tuple[Iterable[str], str]], phrases: dict[str, str]) -> str:
    """The terminals in words: `a, b or c`; those of a group are named together where all of them may stand."""
    left = set(accepted)
    words = []
    for terminals, phrase in groups:
        if left.issuperset(terminals):
            words.append(phrase)
            left.difference_update(terminals)
    words += [phrase for terminal, phrase in phrases.items() if terminal in left]
    return listed(words, "or")
