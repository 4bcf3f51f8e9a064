"""Syntax errors: where the text leaves the grammar, and what was expected there."""

import re

from lark import UnexpectedInput

from einsum_front.core import parsing
from einsum_front.core.diagnostics import Diagnostic, Label, Source
from einsum_front.core.parsing import accepted_terminals, alternatives, word_found

PHRASES = {
    "DEF": "`def`",
    "ODS_DEF": "`ods_def`",
    "NAME": "a name",
    "INTEGER": "an integer",
    "EXTENTS": "a type",
    "DOCSTRING": 'a text in `"""`',
    "ATTR": "`attr`",
    "SIGN": "`+` or `-`",
    "STAR": "`*`",
    "ARROW": "`->`",
    "QUESTION": "`?`",
    "COLON": "`:`",
    "COMMA": "`,`",
    "LPAR": "`(`",
    "RPAR": "`)`",
    "LESS": "`<`",
    "GREATER": "`>`",
    "OPEN_BRACE": "`{`",
    "CLOSE_BRACE": "`}`",
    "EQUAL": "`=`",
    "SEMICOLON": "`;`",
    "$END": "the end of the text",
}
"""Terminals in plain words, in the order in which they are named."""

WORD = re.compile(r"\w+|->|\"\"\"|[^\w\s]")
BRACKET = re.compile(r"//[^\n]*|\"\"\"[\s\S]*?\"\"\"|[(){}]")
DEEPEST = 64
"""How deep parentheses are nested at most; operations are read and checked by functions that call themselves."""


def too_deep(source: Source) -> Diagnostic | None:
    """Error for the first parenthesis that is nested deeper than `DEEPEST`."""
    place = parsing.too_deep(source, BRACKET, "(", DEEPEST)
    message = f"parentheses are nested more than {DEEPEST} deep"
    return Diagnostic("E0830", message, (Label(place),)) if place else None


def syntax_error(source: Source, error: UnexpectedInput) -> Diagnostic:
    """Error for the place where the parser stopped."""
    found = word_found(source, error, WORD)
    expected = alternatives(accepted_terminals(error), (), PHRASES)
    quoted = f"`{found.text}`" if found.text else "the end of the text"
    return Diagnostic("E0830", f"expected {expected}, found {quoted}", (Label(found),))
