"""What the parsers share: grammars, places of what was read, brackets, and words for what was expected."""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar, cast

from lark import Lark, Token, Transformer, Tree, UnexpectedInput, UnexpectedToken

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.functions import Function
from einsum_front.core.origins import NO_SOURCES, Origins, Sources
from einsum_front.core.parser_store import parser_of_grammar
from einsum_front.core.words import listed

T_co = TypeVar("T_co", covariant=True)


CLOSING = {"(": ")", "[": "]", "{": "}", "<": ">"}
"""The bracket that closes each."""


@cache
def parser_of(
    package: str, start: str | tuple[str, ...] = "program", grammar: str = "grammar.lark", **options: object
) -> Lark:
    """The parser of a grammar that lies in the package, with lark's options; see `parser_store`.

    A grammar names the functions of entries by `<functions>`, those that are instructions by `<math>`.
    """
    folder = Path(import_module(package).__path__[0])
    text = (folder / grammar).read_text(encoding="utf-8")
    for mark, named in (("<functions>", Function), ("<math>", (each for each in Function if each.is_instruction))):
        text = text.replace(mark, "|".join(each.value for each in named))
    starts = [start] if isinstance(start, str) else list(start)
    return parser_of_grammar(text, folder, {"lexer": "contextual", "start": starts, **options})


def syntax_tree(
    source: Source,
    parser: Lark,
    nested: Callable[[Source], Diagnostic | None],
    mistake: Callable[[Source, UnexpectedInput], Diagnostic],
) -> Tree[Token]:
    """What the grammar makes of the text.

    Raises `CompileError` with the one mistake that is `nested` too deep, or where the parser stopped.
    """
    mistaken = nested(source)
    if mistaken is not None:
        raise CompileError([mistaken])
    try:
        return parser.parse(source.text)
    except UnexpectedInput as error:
        raise CompileError([mistake(source, error)]) from None


def follows(parser: Lark, text: str) -> bool:
    """True if the text follows the grammar."""
    try:
        parser.parse(text)
    except UnexpectedInput:
        return False
    return True


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


# -- brackets ----------------------------------------------------------------------------------------------------------


def too_deep(source: Source, token: re.Pattern[str], opening: str, deepest: int) -> Span | None:
    """The first of the `opening` brackets that is nested deeper than `deepest`.

    The pattern finds brackets, and whatever may hide one: comments, texts in quotes, arrows.
    """
    steps = dict.fromkeys(opening, 1) | {CLOSING[bracket]: -1 for bracket in opening}
    depth = 0
    for found in token.finditer(source.text):
        depth += steps.get(found[0], 0)
        if depth > deepest:
            return Span(source, *found.span())
    return None


def innermost_open(source: Source, end: int, token: re.Pattern[str]) -> Span | None:
    """The last bracket before a place of the text that is still open there; the pattern as in `too_deep`."""
    still_open: list[Span] = []
    for found in token.finditer(source.text, 0, end):
        if found[0] in CLOSING:
            still_open.append(Span(source, *found.span()))
        elif still_open and found[0] == CLOSING[still_open[-1].text]:
            still_open.pop()
    return still_open[-1] if still_open else None


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
