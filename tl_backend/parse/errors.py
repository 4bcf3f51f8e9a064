"""Syntax errors: where the text leaves the grammar, what was expected there, and what was probably meant."""

import re
from collections.abc import Callable
from difflib import get_close_matches

from lark import UnexpectedInput

from einsum_front.core.diagnostics import Diagnostic, Label, Source, Span
from einsum_front.core.parsing import CLOSING, accepted_terminals, alternatives, word_found
from einsum_front.tl_backend import instructions as tl

OPERATIONS = (*(operator.value for operator in tl.BinaryOperator), *(operator.value for operator in tl.UnaryOperator))
VALUE_INSTRUCTIONS = (
    "alloca", "cast", "cmp", "expand", "fuse", "group_id", "group_size", "load", "size", "subview",
    *(f"arith.{operation}" for operation in OPERATIONS),
    *(f"math.{function.value}" for function in tl.FUNCTIONS),
    "add", "sub", "mul", "div", "rem", "neg",
)  # fmt: skip
STATEMENTS = (
    "axpby", "gemm", "gemv", "ger", "hadamard_product", "hadamard", "sum",
    "for", "foreach", "store", "yield", "barrier", "lifetime_stop",
)  # fmt: skip
EITHER = ("if",)
OTHER_WORDS = ("func", "else", "memref", "group", "strided", "offset", "work_group_size", "subgroup_size", "void", "x")

GROUPS = (
    (("AXPBY", "BARRIER", "LOCAL", "FOR", "FOREACH", "GEMM", "GEMV", "GER", "HADAMARD_PRODUCT", "IF", "LIFETIME_STOP",
      "STORE", "SUM", "YIELD"), "an instruction"),
    (("_ALLOCA", "_ARITH", "BINARY", "UNARY", "_CAST", "_CMP", "_EXPAND", "_FUSE", "GROUP_ID", "GROUP_SIZE", "_LOAD",
      "_MATH", "_SIZE", "_SUBVIEW", "IF"), "an instruction that returns a value"),
    (("SCALAR", "MEMREF", "GROUP", "VOID"), "a type"),
    (("MEMREF", "GROUP"), "a memref type or a group type"),
    (("FLOAT", "INTEGER", "LSQB"), "a number"),
    (("FLOAT", "INTEGER"), "a number"),
    (("BINARY_SUFFIX", "UNARY_SUFFIX"), "an operation such as `.add`"),
)  # fmt: skip
"""Terminals that are named together where all of them may stand."""

DIALECT_PHRASES = {
    "WORD": "an instruction",
    "PARALLEL": "`parallel`",
    "FOREACH_TILE": "`foreach_tile`",
    "APPLY": "`cooperative_matrix_apply`",
    "COOPMATRIX": "a cooperative matrix",
    "USE": "`matrix_a`, `matrix_b` or `matrix_acc`",
    "ATTRIBUTE": "the name of an attribute",
    "_ATTRIBUTES": "`attributes`",
    "INIT": "`init`",
    "AS": "`as`",
    "CLOSE_BRACKET": "`]`",
    "_SPACE": "`.global` or `.local`",
    "_MEMORY_SPACE": "`global` or `local`",
    "_AT_MOST": "`<=`",
}
"""Those that only the grammar of Tiny Tensor Compiler 0.4 has."""

PHRASES = {
    "INTEGER": "an integer",
    "LOCAL": "a value such as `%x`",
    "GLOBAL": "a function name such as `@f`",
    "SCALAR": "a scalar type such as `f32`",
    "MEMREF": "a memref type",
    "CONDITION": "a condition such as `.lt`",
    "MATH_SUFFIX": "a function such as `.exp`",
    "TRANSPOSE": "`.n` or `.t`",
    "ATOMIC": "`.atomic`",
    "DYNAMIC": "`?`",
    "X": "`x`",
    "COMMA": "`,`",
    "COLON": "`:`",
    "EQUAL": "`=`",
    "__ANON_0": "`->`",
    "LPAR": "`(`",
    "LSQB": "`[`",
    "LESSTHAN": "`<`",
    "OPEN_BRACE": "`{`",
    "CLOSE_PAREN": "`)`",
    "RSQB": "`]`",
    "CLOSE_ANGLE": "`>`",
    "CLOSE_BRACE": "`}`",
    "FUNC": "`func`",
    "STRIDED": "`strided`",
    "OFFSET": "`offset`",
    "IF": "`if`",
    "_ELSE": "`else`",
    "WORK_GROUP_SIZE": "`work_group_size`",
    "SUBGROUP_SIZE": "`subgroup_size`",
    "GLOBAL_MEMORY": "`.global`",
    **DIALECT_PHRASES,
    "$END": "the end of the text",
}
"""Terminals in plain words, in the order in which they are named."""

WORD = re.compile(r"[0-9][\w.]*|[%@.]?\w+|->|[\s\S]")
NAME = re.compile(r"[%@](?:[0-9]+|[A-Za-z][A-Za-z0-9_]*)")


def syntax_error(source: Source, error: UnexpectedInput, parses: Callable[[str], bool]) -> Diagnostic:
    """Error for the place where the parser stopped; `parses` tries a text with a change that might help."""
    found, accepted = word_found(source, error, WORD), accepted_terminals(error)
    opening = unclosed_bracket(source.text, found.start)
    if opening is not None and _is_forgotten(source.text[opening], found, accepted):
        return _never_closed(Span(source, opening, opening + 1), found, accepted)
    if found.text.isidentifier() and found.text not in OTHER_WORDS and accepted & {"BARRIER", "_ALLOCA"}:
        return _wrong_instruction(found, "_ALLOCA" in accepted, parses)
    notes: tuple[str, ...] = ()
    if found.text[:1] in ("%", "@") and not NAME.fullmatch(found.text):
        notes = (f"after `{found.text[0]}` stands a number, or a letter followed by letters, digits and `_`",)
    return Diagnostic("E0401", f"expected {_alternatives(accepted)}, found {_quoted(found)}", (Label(found),), notes)


def _is_forgotten(bracket: str, found: Span, accepted: set[str]) -> bool:
    """True if a bracket that is never closed should have been closed before here."""
    if not any(PHRASES.get(terminal) == f"`{CLOSING[bracket]}`" for terminal in accepted):
        return False
    return bracket != "{" or found.text in ("", "func")


def _never_closed(opening: Span, found: Span, accepted: set[str]) -> Diagnostic:
    here = Label(found, f"expected {_alternatives(accepted)} here")
    return Diagnostic("E0402", f"`{opening.text}` is never closed", (Label(opening), here))


def _wrong_instruction(found: Span, needs_value: bool, parses: Callable[[str], bool]) -> Diagnostic:
    """A word in the place of an instruction: one of the other kind, or none that there is."""
    word = found.text
    if needs_value and word in STATEMENTS:
        return Diagnostic("E0401", f"`{word}` returns no value", (Label(found, "nothing to give a name to"),))
    if (not needs_value and word in VALUE_INSTRUCTIONS) or word == "arith":
        return Diagnostic(
            "E0401", f"`{word}` returns a value, which needs a name", (Label(found, "expected `%x =` before this"),)
        )
    text = found.source.text
    names = (*VALUE_INSTRUCTIONS, *EITHER) if needs_value else (*STATEMENTS, *EITHER)
    similar = [f"arith.{word}", *get_close_matches(word, names)]
    better = [name for name in similar if name in names and parses(text[: found.start] + name + text[found.end :])]
    helps = tuple(f"did you mean `{name}`?" for name in better[:1])
    return Diagnostic("E0403", f"there is no instruction `{word}`", (Label(found),), (), helps)


def _alternatives(accepted: set[str]) -> str:
    """What may stand here, in words; the end is not worth any beside others."""
    return alternatives(accepted - {"$END"} if len(accepted) > 1 else accepted, GROUPS, PHRASES)


def _quoted(found: Span) -> str:
    return f"`{found.text}`" if found.text else "the end of the text"


# -- brackets in a text: which one was forgotten -----------------------------------------------------------------------

BRACKET = re.compile(r";[^\n]*|->|[()\[\]<>{}]")


def unclosed_bracket(text: str, offset: int) -> int | None:
    """The place of the innermost bracket that is open at `offset` if it is never closed at all."""
    open_here, _ = _open_brackets(text[:offset])
    open_at_end, forgotten = _open_brackets(text)
    return open_here[-1] if open_here and open_here[-1] in (*open_at_end, *forgotten) else None


def _open_brackets(text: str) -> tuple[list[int], list[int]]:
    """The brackets that are open at the end, and those that were open when an outer one was closed."""
    still_open: list[int] = []
    forgotten: list[int] = []
    for match in BRACKET.finditer(text):
        if match[0] in CLOSING:
            still_open.append(match.start())
        elif match[0] in [CLOSING[text[place]] for place in still_open]:
            while match[0] != CLOSING[text[still_open[-1]]]:
                forgotten.append(still_open.pop())
            still_open.pop()
    return still_open, forgotten
