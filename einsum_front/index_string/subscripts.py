"""Index strings by NumPy's rules: `"bik,kj->bij"` taken apart, every index with its place in the string."""

from dataclasses import dataclass, replace
from typing import NoReturn

from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.core.words import counted

ARROW = "->"
ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Letter:
    """An index in a term and its place; modes under an ellipsis are called `e0`, `e1`, …, all at the ellipsis."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Term:
    """The indices of one operand or of the output, one a mode."""

    letters: tuple[Letter, ...]
    span: Span

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the indices."""
        return tuple(letter.name for letter in self.letters)


@dataclass(frozen=True, slots=True)
class Subscripts:
    """An index string with the ellipses filled in and the output spelled out."""

    operands: tuple[Term, ...]
    output: Term


def read_subscripts(text: str, orders: tuple[int, ...]) -> Subscripts:
    """The indices that a string gives to operands of these orders; raises `CompileError` with places in the string."""
    source = Source("<einsum>", text)
    _reject_strange_characters(source)
    whole = Span(source, 0, len(text))
    arrow = text.find(ARROW)
    inputs = whole if arrow < 0 else Span(source, 0, arrow)
    terms = [_term(span) for span in _split_at_commas(inputs)]
    if len(terms) != len(orders):
        given = "1 is" if len(orders) == 1 else f"{len(orders) or 'none'} are"
        _fail(f"the string describes {counted(len(terms), 'operand')}, but {given} given", inputs)
    hidden = [_hidden_modes(terms[number], order, number) for number, order in enumerate(orders)]
    most = max(hidden, default=0)
    operands = tuple(_filled(term, most - count, most) for term, count in zip(terms, hidden, strict=True))
    if arrow < 0:
        return Subscripts(operands, _implied_output(operands, most, whole))
    output = _filled(_term(Span(source, arrow + len(ARROW), len(text))), 0, most)
    _reject_strange_output(output, operands, most)
    return Subscripts(operands, output)


# -- the characters ----------------------------------------------------------------------------------------------------


def _reject_strange_characters(source: Source) -> None:
    text = source.text
    for position, character in enumerate(text.replace(ELLIPSIS, "   ").replace(ARROW, "  ")):
        if not (character.isascii() and character.isalpha()) and character not in ", ":
            message = f"`{character}` is no part of an index string"
            notes = ("it has letters a to z and A to Z, commas, spaces, `...` and `->`",)
            _fail(message, Span(source, position, position + 1), notes)
    second = text.find(ARROW, text.find(ARROW) + 1) if ARROW in text else -1
    if second >= 0:
        _fail("an index string has one `->`", Span(source, second, second + len(ARROW)))
    comma = text.find(",", text.find(ARROW)) if ARROW in text else -1
    if comma >= 0:
        _fail("there is one output, so no comma after `->`", Span(source, comma, comma + 1))


def _split_at_commas(inputs: Span) -> list[Span]:
    spans, start = [], inputs.start
    for part in inputs.text.split(","):
        spans.append(Span(inputs.source, start, start + len(part)))
        start += len(part) + 1
    return spans


def _term(span: Span) -> Term:
    """The letters of a term; an ellipsis is one letter of that name until it is filled."""
    letters, position = [], span.start
    while position < span.end:
        length = len(ELLIPSIS) if span.source.text.startswith(ELLIPSIS, position) else 1
        name = span.source.text[position : position + length]
        if not name.isspace():
            letters.append(Letter(name, Span(span.source, position, position + length)))
        position += length
    ellipses = [letter for letter in letters if letter.name == ELLIPSIS]
    if len(ellipses) > 1:
        _fail("a term has one ellipsis", ellipses[1].span)
    return Term(tuple(letters), span)


# -- the ellipsis ------------------------------------------------------------------------------------------------------


def _hidden_modes(term: Term, order: int, number: int) -> int:
    """How many modes of an operand its ellipsis stands for."""
    letters = sum(letter.name != ELLIPSIS for letter in term.letters)
    has_ellipsis = letters < len(term.letters)
    if letters > order or (letters < order and not has_ellipsis):
        indices = counted(letters, "index", "indices")
        _fail(f"operand {number} has {counted(order, 'mode')}, but its term has {indices}", term.span)
    return order - letters


def _filled(term: Term, first: int, last: int) -> Term:
    """The term with the ellipsis as modes `first` to `last` of those that the longest ellipsis hides."""
    letters: list[Letter] = []
    for letter in term.letters:
        names = [f"e{mode}" for mode in range(first, last)] if letter.name == ELLIPSIS else [letter.name]
        letters += (replace(letter, name=name) for name in names)
    return Term(tuple(letters), term.span)


# -- the output --------------------------------------------------------------------------------------------------------


def _implied_output(operands: tuple[Term, ...], hidden: int, whole: Span) -> Term:
    """Indices of the ellipsis, then the letters that occur once, in alphabetical order."""
    letters = [letter for term in operands for letter in term.letters]
    names = [letter.name for letter in letters]
    once = sorted(name for name in names if names.count(name) == 1 and len(name) == 1)
    places = {letter.name: letter for letter in letters}
    return Term(tuple(places[name] for name in (*(f"e{mode}" for mode in range(hidden)), *once)), whole)


def _reject_strange_output(output: Term, operands: tuple[Term, ...], hidden: int) -> None:
    known = {name for term in operands for name in term.names}
    for position, letter in enumerate(output.letters):
        if letter.name not in known:
            _fail(f"index `{letter.name}` of the output is in no operand", letter.span)
        if letter.name in output.names[:position]:
            _fail(f"index `{letter.name}` stands twice in the output", letter.span)
    if hidden and "e0" not in output.names:
        _fail("the operands have modes under `...`, so the output needs it too", output.span)


def _fail(message: str, span: Span, notes: tuple[str, ...] = ()) -> NoReturn:
    raise CompileError([Diagnostic("E0227", message, (Label(span),), notes)])
