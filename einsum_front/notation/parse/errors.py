"""Syntax errors in the user's words: expected …, found …, and which bracket is still open."""

from collections.abc import Sequence

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedInput, UnexpectedToken

from einsum_front.core.diagnostics import CompilerBug, Diagnostic, Label, Source, Span
from einsum_front.core.parsing import CLOSING
from einsum_front.notation.syntax import Comparison
from einsum_front.notation.words import KEYWORDS, misspelt

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


# -- slips of writers who come from another language, where they are common enough to be named -------------------------
# Each rule looks at the tokens before the place where the text leaves the grammar, and at the token there.

_NAMING = {keyword.upper() for keyword in KEYWORDS}

_FOR_CHARACTERS = {
    ";": "nothing stands between declarations or between statements",
    "^": "powers are written `**`",
    "×·⋅∙∗": "a product is written `*`",
    "−–": "the minus is `-`",
    "'‘’“”": 'a path stands between two `"`, an index list without them',
    "@": "a product is written `*`, and the indices say what is summed",
    "!%&": "a comment begins with `#`",
}


def note_on_character(character: str) -> tuple[str, ...]:
    """Notes on a character that the notation does not have: what is written instead."""
    for characters, note in _FOR_CHARACTERS.items():
        if character in characters:
            return (note,)
    return ("names are made of the letters a to z and A to Z, digits and `_`",) if character.isalpha() else ()


def misspelt_keyword(before: Sequence[Token], token: Token, accepted: set[str]) -> tuple[Token, str] | None:
    """The word that should begin a declaration or a kernel, and the keyword that it resembles.

    Behind a tensor the grammar takes such a word for an attribute, and the name behind it for another: `kernal f {`
    fails at the brace, `tensr B[3]` at the number, where the places of an attribute would stand.
    """
    if accepted == {"LPAR", "RSQB"}:
        before = before[:-1]
    if _opened(before):
        return None
    tokens = [*before, token]
    for number in range(len(tokens) - 1, max(-1, len(tokens) - 4), -1):
        word, is_named = tokens[number], number > 0 and tokens[number - 1].type in _NAMING
        if word.type == "NAME" and not is_named and (keyword := misspelt(word)) is not None:
            return word, keyword
    return None


def note_on_token(before: Sequence[Token], token: Token, accepted: set[str]) -> tuple[str, ...]:
    """Notes on a token, given what came before and what the grammar would take: what is written instead."""
    padded = [Token("", ""), Token("", ""), *before]
    kinds, previous = (padded[-2].type, padded[-1].type), padded[-1]
    note = ""
    if accepted == {"NAME"} and token.isalpha():
        note = f"words of the notation are no names; `{token}_` and `{token.capitalize()}` are"
    elif token == "/" and ("SLASH" not in accepted or previous == "/"):
        note = "a comment begins with `#`"
    elif token == "(" and kinds[1] == "NAME" and "LSQB" in accepted and "STRING" not in accepted:
        note = f"indices and extents stand in brackets, `{previous}[…]`"
    elif "COLON" in accepted and (token == "(" or token.startswith(".")):
        note = "a range is written `0:3`, its end excluded"
    elif token == ":" and _opened(before) == "[":
        note = "a slice names its index, `i=0:2`; an index alone runs through all of its mode"
    elif token.type == "STRING" and previous == "[":
        note = f"an index list is no string here: `[{token[1:-1]}]`"
    elif token == "=" and kinds == ("SCALAR", "NAME"):
        note = "the launch supplies a scalar; a number that is known when compiling is a `param`"
    elif _is_statement_outside(padded, token, accepted):
        note = "statements stand in a kernel: `kernel f { … }`"
    elif token == "=" and kinds[1] == "EQUAL":
        note = "one `=` sets the left-hand side"
    elif kinds[0] in {"TENSOR", "TEMP"} and accepted == {"LSQB", "LBRACE"}:
        note = f"a tensor of rank 0 is declared `{previous}[]`"
    elif accepted >= {"EQUAL", "ADD_TO", "SUBTRACT_FROM"}:
        note = _note_on_assignment(token)
    return (note,) if note else ()


def _is_statement_outside(padded: Sequence[Token], token: Token, accepted: set[str]) -> bool:
    """True where an assignment begins outside of a kernel: the grammar takes its target for an attribute."""
    if accepted == {"LPAR", "RSQB"}:
        return token.type in {"NAME", "NUMBER"} and padded[-2] != "nonzeros"
    is_assigned = token in {"=", "+=", "-=", "<="} and padded[-2].type not in _NAMING
    return (is_assigned or token.type == "FOR") and "KERNEL" in accepted


def _note_on_assignment(token: Token) -> str:
    if token == "<=":
        return "YATeTo and formulas in Python assign with `<=`; a text of the notation says `=`"
    if token == "==":
        return "one `=` sets the left-hand side"
    if token in {"*", "/", ":", ">="}:
        return "a statement sets (`=`), adds (`+=`) or subtracts (`-=`)"
    return SIDE_BY_SIDE


SIDE_BY_SIDE = "factors that stand side by side are no product: `*` joins them"


def second_factor(before: Sequence[Token], accepted: set[str]) -> Token | None:
    """The name that follows an operand in its line, where the grammar has taken it for the target of a statement.

    `Q[kp] += I[kq] A[qp] }` fails at the brace, where the target has no assignment; what is missing stands before `A`.
    """
    if not (accepted >= {"EQUAL", "ADD_TO", "SUBTRACT_FROM"} or accepted == {"LSQB", "LBRACE"}):
        return None
    depth, number = 0, len(before)
    while number > 0:
        number -= 1
        token = before[number]
        depth += (token in CLOSING.values()) - (token in CLOSING)
        if depth == 0 and token.type == "NAME":
            break
    name, operand = before[number], before[number - 1]
    is_second = number > 0 and operand.type in _ENDS_OF_OPERANDS and operand.end_line == name.line
    return name if is_second else None


def is_swapped_assignment(before: Sequence[Token], token: Token, text: str, parser: Lark) -> bool:
    """True if this is the `+` of a `=+` that stands for `+=`: then the text goes on behind it."""
    start, end = token.start_pos, token.end_pos
    if token != "+" or start is None or end is None or not before:
        return False
    if before[-1] != "=" or before[-1].end_pos != start:
        return False
    try:
        parser.parse(f"{text[: start - 1]}+={text[end:]}", start="start")
    except UnexpectedInput as other:
        return other.pos_in_stream > start  # type: ignore[operator] # None in the base class only
    return True


CHOOSING = "`where(a < b, x, y)` chooses by a comparison, which has two sides"
_ENDS_OF_OPERANDS = {"RSQB", "RPAR", "NUMBER", "NAME"}
COMPARISONS = tuple(each.value for each in Comparison)


def is_stray_comparison(before: Sequence[Token], token: Token, accepted: set[str]) -> bool:
    """True if the token compares expressions inside of a kernel; behind a target it stands for an assignment."""
    opened = open_brackets(before)
    is_inside = bool(opened) and opened[0] == "{" and before[-1].type in _ENDS_OF_OPERANDS
    return token in COMPARISONS and is_inside and "EQUAL" not in accepted and accepted != {"LSQB", "LBRACE"}


def is_over_nothing(before: Sequence[Token], token: Token) -> bool:
    """True for the end of `max{}`: braces behind a name that is not being declared, with nothing inside."""
    padded = [Token("", "")] * 3 + [*before]
    declaring, name, brace = padded[-3:]
    return token == "}" and brace == "{" and name in ("max", "min") and declaring.type not in _NAMING


def open_brackets(before: Sequence[Token]) -> list[Token]:
    """The opening brackets that are not closed, the innermost last; inside of another one, `<` is a comparison."""
    opened: list[Token] = []
    for token in before:
        if token in CLOSING and not (opened and token == "<"):
            opened.append(token)
        elif opened and token == CLOSING[opened[-1]]:
            opened.pop()
    return opened


def _opened(before: Sequence[Token]) -> str:
    """The innermost bracket around names; empty if there is none. A list of numbers has no names."""
    return next((str(bracket) for bracket in reversed(open_brackets(before)) if bracket != "<"), "")


def is_closed_later(text: str, start: int, parser: Lark) -> bool:
    """True if a brace that is open at `start` has its end behind it: then nothing is unclosed."""
    depth = 1
    try:
        for token in parser.lex(text[start:]):
            depth += (token == "{") - (token == "}")
            if depth == 0:
                return True
    except UnexpectedInput:
        pass
    return False
