"""Index strings by NumPy's rules: `"bik,kj->bij"` taken apart, every index with its place in the string.

An index is a letter, of any alphabet. Strings of words have several named indices in a term, with blanks between them:
`"elem k l, elem l q -> elem k q"`. NumPy ignores blanks, so what it can read stays what it is: a string is one of words
if a word has a digit or `_`, which NumPy does not take, or if a term has several words, one of them longer than a
letter, and operands do not have as many modes as letters (decision 95).
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import chain
from string import ascii_letters
from typing import NoReturn

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, Label, Source, Span
from einsum_front.core.words import counted

ARROW = "->"
ELLIPSIS = "..."


@dataclass(frozen=True, slots=True)
class Letter:
    """An index in a term and its place; modes under an ellipsis are called `e0`, `e1`, …, all at the ellipsis.

    The name is one of the notation: an index of another alphabet has another name there than in the string.
    """

    name: str
    span: Span

    @property
    def shown(self) -> str:
        """What a message calls it."""
        return "a mode under `...`" if self.span.text == ELLIPSIS else f"index `{self.span.text}`"


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


HIDDEN = re.compile(r"e\d+")
"""Names of modes under an ellipsis: no other index is called so."""

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_GREEK = re.compile(r"GREEK (SMALL|CAPITAL) LETTER ([A-Z]+)")
_WORDS = re.compile(r"\.\.\.|[^ .]+")
_LETTERS = re.compile(r"\.\.\.|[^ ]")
_LOOK_ALIKES = {"→": "->", "…": "...", "，": ",", "\N{NO-BREAK SPACE}": " "}


PARTS = "it has letters, or words with blanks between them, commas, `...` and `->`"
_INSTEAD = {
    **dict.fromkeys("=->", "the output stands after `->`"),
    **dict.fromkeys(";*+&|", "a comma stands between the indices of two operands"),
    **dict.fromkeys("[](){}", "it has the indices of the operands alone: `ik,kj->ij` for `C[i,j] = A[i,k] * B[k,j]`"),
    ".": "an ellipsis has three dots, `...`",
}
"""What is written in the place of a character that no index string has."""


def letters() -> Iterator[str]:
    """Characters that are indices of a string, as many as anybody needs."""
    return chain(ascii_letters, map(chr, range(0xC0, 0xD800)))


def read_subscripts(text: str, orders: tuple[int, ...]) -> Subscripts:
    """The indices that a string gives to operands of these orders; raises `CompileError` with places in the string."""
    source = Source("<einsum>", text)
    is_of_words = _is_of_words(text, orders)
    _reject_strange_characters(source, is_of_words=is_of_words)
    whole = Span(source, 0, len(text))
    arrow = text.find(ARROW)
    inputs = whole if arrow < 0 else Span(source, 0, arrow)
    spans = _split_at_commas(inputs)
    if arrow >= 0:
        spans.append(Span(source, arrow + len(ARROW), len(text)))
    *terms, last = _named([_term(span, _WORDS if is_of_words else _LETTERS) for span in spans])
    terms += [last] if arrow < 0 else []
    notes = _notes(text, is_of_words=is_of_words)
    if len(terms) != len(orders):
        if len(terms) < len(orders):
            notes += (_INSTEAD[";"],)
        given = "1 is" if len(orders) == 1 else f"{len(orders) or 'none'} are"
        _fail(f"the string describes {counted(len(terms), 'operand')}, but {given} given", inputs, notes)
    hidden = [_hidden_modes(terms[number], order, number, notes) for number, order in enumerate(orders)]
    most = max(hidden, default=0)
    operands = tuple(_filled(term, most - count, most) for term, count in zip(terms, hidden, strict=True))
    if arrow < 0:
        return Subscripts(operands, _implied_output(operands, most, whole))
    output = _filled(last, 0, most)
    _reject_strange_output(output, operands, notes)
    return Subscripts(operands, output)


# -- letters and words -------------------------------------------------------------------------------------------------


def _is_of_words(text: str, orders: Sequence[int]) -> bool:
    """True if words, not letters, are the indices: the rule at the top."""
    if any(character == "_" or (character.isascii() and character.isdigit()) for character in text):
        return True
    if " " not in text:
        return False
    inputs, _, output = text.partition(ARROW)
    terms = [_WORDS.findall(term) for term in inputs.split(",")]
    names = [[word for word in term if word != ELLIPSIS] for term in (*terms, _WORDS.findall(output))]
    if not any(len(term) > 1 and any(len(word) > 1 for word in term) for term in names) or len(terms) != len(orders):
        return False
    counts = [sum(map(len, term)) for term in names]
    return not all(
        count == order or (count < order and ELLIPSIS in term)
        for count, order, term in zip(counts, orders, terms, strict=False)
    )


def _notes(text: str, *, is_of_words: bool) -> tuple[str, ...]:
    """What helps those whose string does not fit: how it was read."""
    notes = [
        f"`{each}` is read as an index, for which `{plain}` may stand"
        for each, plain in _LOOK_ALIKES.items()
        if each in text
    ]
    if is_of_words:
        notes.append("the indices of this string are words, with blanks between them: `elem k l, elem l q -> elem k q`")
    return tuple(notes)


def _reject_strange_characters(source: Source, *, is_of_words: bool) -> None:
    text = source.text
    for position, character in enumerate(text.replace(ELLIPSIS, "   ").replace(ARROW, "  ")):
        is_name = character.isalpha() or not character.isascii()
        if not (is_name or character in ", " or (is_of_words and (character.isdigit() or character == "_"))):
            message = f"`{character}` is no part of an index string"
            _fail(message, Span(source, position, position + 1), (_INSTEAD.get(character, PARTS),))
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


def _term(span: Span, parts: re.Pattern[str]) -> Term:
    """The indices of a term; an ellipsis is one index of that name until it is filled."""
    found = parts.finditer(span.source.text, span.start, span.end)
    letters = tuple(Letter(each.group(), Span(span.source, each.start(), each.end())) for each in found)
    ellipses = [letter for letter in letters if letter.name == ELLIPSIS]
    if len(ellipses) > 1:
        _fail("a term has one ellipsis", ellipses[1].span)
    return Term(letters, span)


def _spelled(word: str) -> str:
    """`alpha` for `α`; numbers and what has no short name are spelled behind an `n`."""
    greek = _GREEK.fullmatch(unicodedata.name(word, "")) if len(word) == 1 else None
    if greek is not None:
        return greek[2].lower() if greek[1] == "SMALL" else greek[2].capitalize()
    return "n" + "".join(each if each.isascii() else f"{ord(each):x}" for each in word)


def _named(terms: list[Term]) -> list[Term]:
    """The same with names of the notation: those of other alphabets, and numbers, are spelled in letters and digits."""
    names = {ELLIPSIS: ELLIPSIS}
    written = dict.fromkeys(letter.name for term in terms for letter in term.letters)
    plain = [word for word in written if _NAME.fullmatch(word) and not HIDDEN.fullmatch(word)]
    names |= {word: word for word in plain}
    if len(plain) + (ELLIPSIS in written) == len(written):
        return terms
    taken = set(plain)
    for word in written:
        if word not in names:
            spelled = _spelled(word)
            while spelled in taken:
                spelled += "_"
            names[word] = spelled
            taken.add(spelled)
    return [
        replace(term, letters=tuple(replace(letter, name=names[letter.name]) for letter in term.letters))
        for term in terms
    ]


# -- the ellipsis ------------------------------------------------------------------------------------------------------


def _hidden_modes(term: Term, order: int, number: int, notes: tuple[str, ...]) -> int:
    """How many modes of an operand its ellipsis stands for."""
    letters = sum(letter.name != ELLIPSIS for letter in term.letters)
    has_ellipsis = letters < len(term.letters)
    if letters > order or (letters < order and not has_ellipsis):
        indices = counted(letters, "index", "indices")
        _fail(f"operand {number} has {counted(order, 'mode')}, but its term has {indices}", term.span, notes)
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
    """Indices of the ellipsis, then those that occur once, in alphabetical order."""
    every = [letter for term in operands for letter in term.letters]
    counts = Counter(letter.name for letter in every)
    once = [letter for letter in every if counts[letter.name] == 1 and letter.span.text != ELLIPSIS]
    places = {letter.name: letter for letter in every}
    first = (places[f"e{mode}"] for mode in range(hidden))
    return Term((*first, *sorted(once, key=lambda letter: letter.span.text)), whole)


def _reject_strange_output(output: Term, operands: tuple[Term, ...], notes: tuple[str, ...]) -> None:
    known = {name for term in operands for name in term.names}
    for position, letter in enumerate(output.letters):
        if letter.name not in known:
            _fail(f"{letter.shown} of the output is in no operand", letter.span, notes)
        if letter.name in output.names[:position]:
            _fail(f"{letter.shown} stands twice in the output", letter.span)


def _fail(message: str, span: Span, notes: tuple[str, ...] = ()) -> NoReturn:
    raise CompileError([Diagnostic("E0227", message, (Label(span),), notes)])
