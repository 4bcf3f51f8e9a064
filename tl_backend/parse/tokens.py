"""Parse tree to nodes: tokens, each with its place.

The methods are named after the terminals of grammar.lark; the other readers add those that are named after its rules.
Mistakes that the grammar cannot see (numbers out of range, malformed types) are collected in `diagnostics`.
"""

import math
from dataclasses import dataclass
from typing import Generic, TypeVar

from lark import Token, Transformer

from diagnostics import CompilerBug, Diagnostic, Label, Origin, Source, Span
from tl_backend.instructions import FloatConstant, IntegerConstant, Local, Transpose, TypedMemref
from tl_backend.program import Program
from tl_backend.types import ScalarType

T_co = TypeVar("T_co", covariant=True)

LARGEST_INTEGER = 2**63 - 1
BOOLEAN_SPELLINGS = ("bool", "i1", "u1")


@dataclass(frozen=True, slots=True)
class Placed(Generic[T_co]):
    """What a piece of text stands for, and where it stands."""

    value: T_co
    span: Span

    @property
    def origin(self) -> Origin:
        """The place as the origin of a node."""
        return (self.span,)


class TokenReader(Transformer[Token, Program]):
    """Reads the tokens of one source."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.diagnostics: list[Diagnostic] = []
        self._source = source

    def LOCAL(self, token: Token) -> Local:
        return Local(token[1:], (self._span(token),))

    def GLOBAL(self, token: Token) -> Placed[str]:
        return Placed(token[1:], self._span(token))

    def INTEGER(self, token: Token) -> IntegerConstant:
        origin = (self._span(token),)
        if token in ("true", "false"):
            return IntegerConstant(int(token == "true"), origin)
        digits = token.lstrip("+-").lstrip("0") or "0"
        if len(digits) > len(str(LARGEST_INTEGER)) or int(digits) > LARGEST_INTEGER:
            self._report("E0404", f"integer constant `{token}` is out of range", origin[0], "not in [-2^63+1, 2^63-1]")
            return IntegerConstant(0, origin)
        return IntegerConstant(-int(digits) if token.startswith("-") else int(digits), origin)

    def FLOAT(self, token: Token) -> FloatConstant:
        origin = (self._span(token),)
        value = _read_float(token)
        if not math.isfinite(value):
            self._report("E0404", f"floating constant `{token}` is out of range", origin[0], "not a finite double")
            return FloatConstant(0.0, origin)
        return FloatConstant(value, origin)

    def DYNAMIC(self, _token: Token) -> None:
        return None

    def SCALAR(self, token: Token) -> Placed[ScalarType]:
        type_ = ScalarType.BOOL if token in BOOLEAN_SPELLINGS else ScalarType(str(token))
        return Placed(type_, self._span(token))

    def TRANSPOSE(self, token: Token) -> Transpose:
        return Transpose(token[1:])

    # -- helpers -------------------------------------------------------------------------------------------------------

    def _natural(self, number: IntegerConstant, what: str) -> int:
        if number.value < 0:
            self._report("E0404", f"{what} cannot be negative", number.origin[0])
            return 0
        return number.value

    def _span(self, token: Token) -> Span:
        if token.start_pos is None:
            raise CompilerBug(f"the token {token!r} has no place")
        return Span(self._source, token.start_pos, token.start_pos + len(token))

    def _from(self, first: Token | Local, last: Token | Local | TypedMemref | Placed[object]) -> Origin:
        """The origin that reaches from one part of a node to another, both included."""
        return (self._place(first).to(self._place(last)),)

    def _place(self, part: Token | Local | TypedMemref | Placed[object]) -> Span:
        if isinstance(part, Token):
            return self._span(part)
        return part.span if isinstance(part, Placed) else part.origin[0]

    def _report(self, code: str, message: str, span: Span, label: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, (Label(span, label),)))


def _read_float(text: str) -> float:
    """The value as `strtod` has it; infinite where no double is near."""
    if "x" not in text.lower():
        return float(text)
    try:
        return float.fromhex(text)
    except OverflowError:
        return math.inf
