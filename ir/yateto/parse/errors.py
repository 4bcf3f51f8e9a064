"""Syntax errors: where the text leaves the grammar, what was expected there, and what was probably meant."""

import re
from collections.abc import Callable
from difflib import get_close_matches

from lark import UnexpectedInput

from einsum_front.core import parsing
from einsum_front.core.diagnostics import Diagnostic, Label, Source, Span
from einsum_front.core.limits import DEEPEST_LOOPS
from einsum_front.core.parsing import accepted_terminals, alternatives, innermost_open, word_found

VALUE_INSTRUCTIONS = ("alloca", "get_work_item", "subview", "arith.add", "arith.sub", "arith.mul", "arith.div")
STATEMENTS = ("axpby", "broadcast", "sum", "log", "product", "fill", "elementwise", "for", "barrier", "lifetime_stop")
OTHER_WORDS = ("define", "memref", "group", "strided", "distance", "pointers", "after", "void", "to", "x")

GROUPS = (
    (("AXPBY", "BARRIER", "BROADCAST", "ELEMENTWISE", "FILL", "FOR", "LIFETIME_STOP", "LOCAL", "LOG", "PRODUCT", "SUM"),
     "an instruction"),
    (("_ALLOCA", "_ARITH", "_GET_WORK_ITEM", "_SUBVIEW"), "an instruction that returns a value"),
    (("GROUP", "MEMREF", "SCALAR", "VOID"), "a type"),
    (("DISTANCE", "POINTERS", "AFTER"), "`distance`, `pointers` or `after`"),
    (("FLOAT", "INTEGER", "LOCAL"), "a constant such as `1.0` or a value such as `%x`"),
    (("COLON", "INTEGER", "SCALAR"), "a position or a slice such as `0:4`"),
    (("LETTERS", "LPAR", "LSQB", "_NONE"), "indices"),
    (("LETTERS", "LPAR", "LSQB"), "more indices"),
    (("LETTERS", "_NONE"), "indices"),
)  # fmt: skip
"""Terminals that are named together where all of them may stand."""

PHRASES = {
    "LOCAL": "a value such as `%x`",
    "GLOBAL": "a function name such as `@f`",
    "INTEGER": "an integer",
    "OPEN": "a size such as `[n]`",
    "FLOAT": "a floating constant such as `1.0`",
    "SCALAR": "a scalar type such as `f32`",
    "MEMREF": "a memref type",
    "GROUP": "a group type",
    "LETTERS": "indices",
    "OPERATOR": "an operation such as `.add`",
    "COMBINER": "`.max` or `.min`",
    "FUNCTION": "a function such as `exp`",
    "ENTRY": "an entry such as `$0`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "EQUAL": "`=`",
    "X": "`x`",
    "_TO": "`to`",
    "_MAP_TO": "`to`",
    "LPAR": "`(`",
    "LSQB": "`[`",
    "LESSTHAN": "`<`",
    "OPEN_BRACE": "`{`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "CLOSE_ANGLE": "`>`",
    "CLOSE_BRACE": "`}`",
    "DEFINE": "`define`",
    "STRIDED": "`strided`",
    "$END": "the end of the text",
}
"""Terminals in plain words, in the order in which they are named."""

WORD = re.compile(r"[%@.]?\w+|[^\w\s]")
TOKEN = re.compile(r";[^\n]*|[][(){}<>]")


def too_deep(source: Source) -> Diagnostic | None:
    """Error for the first brace that is nested deeper than `DEEPEST_LOOPS`."""
    place = parsing.too_deep(source, TOKEN, "{", DEEPEST_LOOPS)
    message = f"regions are nested more than {DEEPEST_LOOPS} deep"
    return Diagnostic("E0460", message, (Label(place),)) if place else None


def syntax_error(source: Source, error: UnexpectedInput, parses: Callable[[str], bool]) -> Diagnostic:
    """Error for the place where the parser stopped; `parses` tries a text with a change that might help."""
    found, accepted = word_found(source, error, WORD), accepted_terminals(error)
    unclosed = innermost_open(source, found.start, TOKEN)
    if unclosed is not None and _should_close(unclosed, found, accepted):
        wanted = f"expected {_alternatives(accepted)}{' before this' if found.text else ''}"
        return Diagnostic("E0461", f"`{unclosed.text}` is never closed", (Label(unclosed), Label(found, wanted)))
    if found.text.isidentifier() and found.text not in OTHER_WORDS and accepted & {"BARRIER", "_ALLOCA"}:
        return _unknown_instruction(found, "_ALLOCA" in accepted, parses)
    quoted = f"`{found.text}`" if found.text else "the end of the text"
    return Diagnostic("E0460", f"expected {_alternatives(accepted)}, found {quoted}", (Label(found),))


def _should_close(bracket: Span, found: Span, accepted: set[str]) -> bool:
    """True if the trouble is that the bracket was not closed before here: at a word that no bracket ever holds."""
    terminal = {"(": "RPAR", "[": "RSQB", "{": "CLOSE_BRACE", "<": "CLOSE_ANGLE"}[bracket.text]
    if terminal not in accepted:
        return False
    return found.text in ("", "define") or (bracket.text != "{" and found.text in ("{", "}", ":", "=", "to"))


def _unknown_instruction(found: Span, is_value: bool, parses: Callable[[str], bool]) -> Diagnostic:
    fitting, others = (VALUE_INSTRUCTIONS, STATEMENTS) if is_value else (STATEMENTS, VALUE_INSTRUCTIONS)
    if found.text in others:
        message = f"`{found.text}` returns no value" if is_value else f"`{found.text}` returns a value"
        example = f"it stands alone: `{found.text} …`" if is_value else f"it needs a name: `%x = {found.text} …`"
        return Diagnostic("E0460", message, (Label(found, example),))
    near = [word for word in get_close_matches(found.text, fitting) if parses(_replaced(found, word))]
    helps = tuple(f"`{word}` has a similar name" for word in near[:1])
    notes = (f"instructions here: {', '.join(fitting)}",)
    return Diagnostic("E0462", f"there is no instruction `{found.text}`", (Label(found),), notes, helps)


def _replaced(found: Span, word: str) -> str:
    text = found.source.text
    return text[: found.start] + word + text[found.end :]


def _alternatives(accepted: set[str]) -> str:
    """What may stand here, in words; the comma that may follow a map is not worth any."""
    return alternatives(accepted - {"COMMA"} if "FLOAT" in accepted else accepted, GROUPS, PHRASES)
