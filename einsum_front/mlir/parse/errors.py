"""Syntax errors: where the text leaves the grammar, what was expected there, and operations that there are not."""

import re
from difflib import get_close_matches

from lark import UnexpectedInput

from einsum_front.core import parsing
from einsum_front.core.diagnostics import Diagnostic, Label, Source, Span
from einsum_front.core.limits import DEEPEST_LOOPS
from einsum_front.core.parsing import CLOSING, accepted_terminals, alternatives, innermost_open, word_found
from einsum_front.mlir.parse.operations import KNOWN
from einsum_front.mlir.tpp.operations import ELSEWHERE, LEFT_OUT

OPERATIONS = ("LINALG", "PLAIN", "ENDING", "FOR", "CALL", "FUNCTION", "MODULE", "STRING", "TPP", "TPP_GROUP")
WITH_RESULT = ("CONSTANT", "ALLOCATE", "SLICE", "RESHAPE", "PACK")

GROUPS = (
    ((*OPERATIONS, *WITH_RESULT), "an operation"),
    (("TENSOR", "MEMREF", "NAME"), "a type"),
    (("AFFINE_MAP", "DENSE", "ARRAY", "UNIT"), "an attribute"),
    (("FLOAT", "INT"), "a number"),
    (("INT", "VALUE"), "a number or a value"),
    (("INT", "OPEN"), "a size"),
)
"""Terminals that are named together where all of them may stand."""

PHRASES = {
    "VALUE": "a value such as `%x`",
    "SYMBOL": "a name such as `@f`",
    "SHAPED": "sizes and a type such as `4x5xf64`",
    "NAME": "a name",
    "INT": "an integer",
    "TENSOR": "a type",
    "COLON": "`:`",
    "COMMA": "`,`",
    "EQUAL": "`=`",
    "ARROW": "`->`",
    "_TO": "`to`",
    "_INTO": "`into`",
    "INS": "`ins`",
    "OUTS": "`outs`",
    "OFFSET": "`offset`",
    "STEP": "`step`",
    "LPAR": "`(`",
    "LSQB": "`[`",
    "LESSTHAN": "`<`",
    "OPEN_BRACE": "`{`",
    "RPAR": "`)`",
    "RSQB": "`]`",
    "CLOSE_ANGLE": "`>`",
    "CLOSE_BRACE": "`}`",
    "$END": "the end of the text",
}
"""Terminals in plain words, in the order in which they are named."""

WORD = re.compile(r"[%@#^!]?[\w$.]+|->|[^\w\s]")
OPERATION = re.compile(r"[a-z_]\w*\.[\w.]+")
TOKEN = re.compile(r'//[^\n]*|"(?:[^"\\\n]|\\.)*"|->|[][(){}<>]')


def too_deep(source: Source) -> Diagnostic | None:
    """Error for the first bracket that is nested deeper than `DEEPEST_LOOPS`."""
    place = parsing.too_deep(source, TOKEN, "".join(CLOSING), DEEPEST_LOOPS)
    message = f"brackets are nested more than {DEEPEST_LOOPS} deep"
    return Diagnostic("E0801", message, (Label(place),)) if place else None


def syntax_error(source: Source, error: UnexpectedInput) -> Diagnostic:
    """Error for the place where the parser stopped."""
    found, accepted = word_found(source, error, WORD), accepted_terminals(error)
    is_operation = bool(accepted & {"PLAIN", "LINALG", "CONSTANT"}) and OPERATION.fullmatch(found.text) is not None
    if is_operation:
        return no_operation(found.text, found)
    unclosed = innermost_open(source, found.start, TOKEN)
    wanted = f"expected {alternatives(accepted, GROUPS, PHRASES)}"
    if unclosed is not None and not found.text:
        return Diagnostic("E0803", f"`{unclosed.text}` is never closed", (Label(unclosed), Label(found, wanted)))
    quoted = f"`{found.text}`" if found.text else "the end of the text"
    return Diagnostic("E0801", f"{wanted}, found {quoted}", (Label(found),))


def no_operation(name: str, place: Span) -> Diagnostic:
    """Error for the name of an operation that is none of those that are read."""
    meant = ELSEWHERE.get(name.removeprefix("tpp.")) if name.startswith("tpp.") else None
    near = get_close_matches(name, sorted(KNOWN - {f"tpp.{each}" for each in LEFT_OUT}), n=1, cutoff=0.87)
    notes = (f"`{near[0]}` has a similar name",) if near else ()
    notes = (f"it is `{meant}` here",) if meant else notes
    dialects = sorted({"bufferization", *(each.partition(".")[0] for each in KNOWN if "." in each)})
    if name.partition(".")[0] not in dialects:
        notes = (f"operations of these dialects are read: {', '.join(dialects)}",)
    return Diagnostic("E0802", f"the operation `{name}` is not read", (Label(place),), notes)
