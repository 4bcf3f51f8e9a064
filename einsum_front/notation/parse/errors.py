"""Syntax errors in the user's words: expected …, found …, and which bracket is still open."""

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from einsum_front.core.diagnostics import CompilerBug, Diagnostic, Label, Source, Span
from einsum_front.core.parsing import CLOSING
from einsum_front.notation.parse.slips import (
    CHOOSING,
    SIDE_BY_SIDE,
    is_closed_later,
    is_over_nothing,
    is_stray_comparison,
    is_swapped_assignment,
    misspelt_keyword,
    note_on_character,
    note_on_token,
    open_brackets,
    second_factor,
)
from einsum_front.notation.words import KEYWORDS

_END = "$END"
DECLARATIONS = {keyword.upper() for keyword in KEYWORDS}
"""The tokens that begin a declaration or a kernel."""

# Groups of tokens that a reader knows under one name, the larger group first.
_GROUPS = (
    ("a declaration or a kernel", DECLARATIONS),
    ("an expression", {"NAME", "NUMBER", "IMAGINARY", "LPAR", "MINUS", "SUM", "REAL"}),
    ("a number", {"NAME", "NUMBER", "LPAR", "MINUS"}),
    ("a statement", {"NAME", "FOR"}),
    ("an operator", {"PLUS", "MINUS", "STAR", "SLASH", "POWER"}),
)
_SINGLE = {
    "NAME": "a name",
    "NUMBER": "a number",
    "IMAGINARY": "an imaginary number",
    "STRING": "a path in quotes",
    _END: "the end of the text",
}


def explain_unexpected(unexpected: UnexpectedInput, source: Source, parser: Lark) -> Diagnostic:
    """One diagnostic for the place where the text leaves the grammar."""
    if isinstance(unexpected, UnexpectedCharacters):
        return _unknown_character(source, unexpected.pos_in_stream)  # type: ignore[arg-type] # None in the base class only
    if isinstance(unexpected, UnexpectedToken):
        return _unexpected_token(unexpected, source, parser)
    raise CompilerBug(f"lark reports {unexpected!r}")


def _unknown_character(source: Source, offset: int) -> Diagnostic:
    character = source.text[offset]
    if character == '"':
        line_end = source.text.find("\n", offset)
        end = line_end if line_end >= 0 else len(source.text)
        return Diagnostic("E0109", 'this path is never closed: a second `"` is missing', _at(source, offset, end))
    message = f"`{character}` is no character of the notation"
    return Diagnostic("E0103", message, _at(source, offset, offset + 1), note_on_character(character))


def _unexpected_token(unexpected: UnexpectedToken, source: Source, parser: Lark) -> Diagnostic:
    token = unexpected.token
    start, end = _extent(token, source)
    before = list(parser.lex(source.text[:start]))
    opened = open_brackets(before)
    if opened and token.type in DECLARATIONS and opened[-1] == "{" and is_closed_later(source.text, end, parser):
        note = "what is declared beside the kernels, `temp` tensors too, every kernel may use"
        return Diagnostic("E0101", f"`{token}` stands inside of a kernel", _at(source, start, end), (note,))
    state = unexpected.interactive_parser
    if state is None:
        raise CompilerBug("lark lost its state")
    accepted: set[str] = state.accepts()  # type: ignore[no-untyped-call] # lark does not annotate it
    if {"LSQB", "PLUS"} <= accepted and "LPAR" not in accepted:
        accepted -= {"LSQB"}  # among numbers, an index list makes a rare place: an entry of an integer tensor
    if is_stray_comparison(before, token, accepted):
        message = "a comparison stands elsewhere than first in `where`"
        return Diagnostic("E0237", message, _at(source, start, end), (CHOOSING,))
    if opened and _shows_unclosed(token, opened[-1]):
        return _unclosed(opened[-1], source, start, end)
    if is_over_nothing(before, token):
        message = f"`{before[-2]}` is over the names of indices: `{before[-2]}{{k}}(A[i,k])`"
        return Diagnostic("E0238", message, _at(source, start, end, "none stands before this"))
    found = _found(token)
    if (misspelt := misspelt_keyword(before, token, accepted)) is not None:
        return _misspelt(*misspelt, source)
    if is_swapped_assignment(before, token, source.text, parser):
        return Diagnostic("E0101", "no statement has `=+`", _at(source, start - 1, end, "did you mean `+=`?"))
    if (factor := second_factor(before, accepted)) is not None:
        message = f"expected an operator, found `{factor}`"
        return Diagnostic("E0101", message, _at(source, *_extent(factor, source)), (SIDE_BY_SIDE,))
    message = f"expected {_expected(accepted, parser)}, found {found}"
    return Diagnostic("E0101", message, _at(source, start, end), note_on_token(before, token, accepted))


def _misspelt(word: Token, keyword: str, source: Source) -> Diagnostic:
    start, end = _extent(word, source)
    message = f"no declaration and no kernel begins with `{word}`"
    return Diagnostic("E0101", message, (Label(Span(source, start, end), f"did you mean `{keyword}`?"),))


def _extent(token: Token, source: Source) -> tuple[int, int]:
    """The place of a token; the end of the text is the place behind its last character that counts."""
    if token.type == _END or token.start_pos is None or token.end_pos is None:
        end = len(source.text.rstrip())
        return end, end
    return token.start_pos, token.end_pos


def _found(token: Token) -> str:
    if token.type == _END:
        return "the end of the text"
    if token.type not in {"NAME", "NUMBER", "STRING"} and token.isalpha():
        return f"`{token}`, a word of the notation"
    return f"`{token}`"


def _expected(accepted: set[str], parser: Lark) -> str:
    rest, words = set(accepted), []
    for words_of_group, group in _GROUPS:
        if group <= rest:
            words.append(words_of_group)
            rest -= group
    words += sorted((_spelling(terminal, parser) for terminal in rest), key=lambda word: (len(word), word))
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} or {words[-1]}"


def _spelling(terminal: str, parser: Lark) -> str:
    return _SINGLE.get(terminal) or f"`{parser.get_terminal(terminal).pattern.value}`"


# -- brackets ----------------------------------------------------------------------------------------------------------


def _shows_unclosed(token: Token, opening: Token) -> bool:
    """A declaration, the end, or another bracket's end cannot stand inside a bracket."""
    if token.type == _END or token.type in DECLARATIONS:
        return True
    return token in CLOSING.values() and token != CLOSING[opening]


def _unclosed(opening: Token, source: Source, start: int, end: int) -> Diagnostic:
    if opening.start_pos is None:
        raise CompilerBug(f"lark gave {opening!r} no place")
    first = Label(Span(source, opening.start_pos, opening.start_pos + 1), "opened here")
    second = Label(Span(source, start, end), f"`{CLOSING[opening]}` expected before this")
    return Diagnostic("E0102", f"this `{opening}` is never closed", (first, second))


def _at(source: Source, start: int, end: int, words: str = "") -> tuple[Label]:
    return (Label(Span(source, start, end), words),)
