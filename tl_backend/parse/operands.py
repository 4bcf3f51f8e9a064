"""Parse tree to nodes: identifiers, numbers, operands and types, each with its place.

The methods are named after the rules and terminals of grammar.lark, which call them from the leaves upwards. Mistakes
that the grammar cannot see (numbers out of range, malformed types) are collected in `diagnostics`.
"""

import math
from dataclasses import dataclass
from typing import Generic, TypeVar

from lark import Token, Transformer, v_args

from diagnostics import CompilerBug, Diagnostic, Label, Origin, Source, Span
from tl_backend.instructions import (
    FloatConstant,
    IndexOperand,
    IntegerConstant,
    Local,
    Operand,
    Position,
    Slice,
    TypedMemref,
)
from tl_backend.program import Program
from tl_backend.types import Extent, GroupType, MemrefType, ScalarType, canonical_strides

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


@v_args(inline=True)
class OperandReader(Transformer[Token, Program]):
    """Reads operands and types of one source."""

    def __init__(self, source: Source) -> None:
        super().__init__()
        self.diagnostics: list[Diagnostic] = []
        self._source = source

    # -- identifiers and numbers ---------------------------------------------------------------------------------------

    def LOCAL(self, token: Token) -> Local:
        return Local(token[1:], (self._span(token),))

    def GLOBAL(self, token: Token) -> Placed[str]:
        return Placed(token[1:], self._span(token))

    def INTEGER(self, token: Token) -> IntegerConstant:
        origin = (self._span(token),)
        if token in ("true", "false"):
            return IntegerConstant(int(token == "true"), origin)
        digits = token.lstrip("+-").lstrip("0")
        if len(digits) > len(str(LARGEST_INTEGER)) or int(digits or "0") > LARGEST_INTEGER:
            self._report("E0404", f"integer constant `{token}` is out of range", origin[0], "not in [-2^63+1, 2^63-1]")
            return IntegerConstant(0, origin)
        return IntegerConstant(int(token), origin)

    def FLOAT(self, token: Token) -> FloatConstant:
        origin = (self._span(token),)
        value = _read_float(token)
        if not math.isfinite(value):
            self._report("E0404", f"floating constant `{token}` is out of range", origin[0], "not a finite double")
            return FloatConstant(0.0, origin)
        return FloatConstant(value, origin)

    def DYNAMIC(self, _token: Token) -> None:
        return None

    # -- index lists ---------------------------------------------------------------------------------------------------

    def operands(self, *operands: Operand) -> tuple[Operand, ...]:
        return operands

    def indices(self, *indices: IndexOperand) -> tuple[IndexOperand, ...]:
        return indices

    def slices(self, *slices: Position | Slice) -> tuple[Position | Slice, ...]:
        return slices

    def extents(self, *extents: IndexOperand | None) -> tuple[IndexOperand | None, ...]:
        return extents

    def position(self, index: IndexOperand) -> Position:
        return Position(index)

    def slice(self, offset: IndexOperand | Token, size: IndexOperand | None = None) -> Slice:
        if isinstance(offset, Token):
            return Slice(IntegerConstant(0, (self._span(offset),)), None)
        return Slice(offset, size)

    # -- types ---------------------------------------------------------------------------------------------------------

    def SCALAR(self, token: Token) -> Placed[ScalarType]:
        type_ = ScalarType.BOOL if token in BOOLEAN_SPELLINGS else ScalarType(str(token))
        return Placed(type_, self._span(token))

    def scalars(self, *scalars: Placed[ScalarType]) -> tuple[Placed[ScalarType], ...]:
        return scalars

    def shape(self, *modes: IntegerConstant | None) -> tuple[Extent, ...]:
        return tuple(self._extent(mode, "a mode size") for mode in modes)

    def modes(self, *modes: IntegerConstant | None) -> tuple[Extent, ...]:
        return tuple(self._extent(mode, "a stride") for mode in modes)

    def strides(self, start: Token, strides: tuple[Extent, ...], end: Token) -> Placed[tuple[Extent, ...]]:
        return Placed(strides, self._span(start).to(self._span(end)))

    def memref(
        self,
        start: Token,
        element: Placed[ScalarType],
        shape: tuple[Extent, ...],
        strides: Placed[tuple[Extent, ...]] | None,
        end: Token,
    ) -> Placed[MemrefType]:
        layout = canonical_strides(shape) if strides is None else strides.value
        if strides is not None and len(layout) != len(shape):
            found, wanted = _count(len(layout), "stride"), _count(len(shape), "mode")
            self._report("E0405", f"a layout of {found} for a tensor of {wanted}", strides.span, "one stride per mode")
            layout = canonical_strides(shape)
        return Placed(MemrefType(element.value, shape, layout), self._span(start).to(self._span(end)))

    def offset(self, *given: IntegerConstant | None) -> Extent:
        return self._extent(given[0], "an offset") if given else 0

    def group(self, start: Token, memref: Placed[MemrefType], offset: Extent, end: Token) -> Placed[GroupType]:
        return Placed(GroupType(memref.value, offset), self._span(start).to(self._span(end)))

    # -- helpers -------------------------------------------------------------------------------------------------------

    def _extent(self, entry: IntegerConstant | None, what: str) -> Extent:
        return None if entry is None else self._natural(entry, what)

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


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
