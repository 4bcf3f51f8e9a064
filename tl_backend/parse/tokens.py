"""Parse tree to nodes: tokens, each with its place.

The methods are named after the terminals of grammar.lark; the other readers add those that are named after its rules.
Mistakes that the grammar cannot see (numbers out of range, malformed types) are collected in `diagnostics`.
"""

import math
import re
from functools import lru_cache

from lark import Token

from einsum_front.core.diagnostics import CompilerBug, Span
from einsum_front.core.limits import LARGEST_INTEGER, LEAST_WHOLE, MOST_WHOLE
from einsum_front.core.numbers import read_float
from einsum_front.core.parsing import Placed, PlacedReader
from einsum_front.core.words import counted
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import Extent, MemrefType, ScalarType, canonical_strides

BOOLEAN_SPELLINGS = ("bool", "i1", "u1")
PLAIN_MEMREF = re.compile(r"memref<(index|[a-w]+[0-9]*)((?:x[0-9?]+)*)(?:,strided<(.*)>)?>")


class TokenReader(PlacedReader):
    """Reads the tokens of one source."""

    def LOCAL(self, token: Token) -> tl.Local:
        return tl.Local(token[1:], (self._span(token),))

    def GLOBAL(self, token: Token) -> Placed[str]:
        return Placed(token[1:], self._span(token))

    def INTEGER(self, token: Token) -> tl.IntegerConstant:
        origin = (self._span(token),)
        if token in ("true", "false"):
            return tl.IntegerConstant(int(token == "true"), origin)
        digits = token.lstrip("+-").lstrip("0") or "0"  # Python reads no text of thousands of zeros
        number = int(digits) if len(digits) <= len(str(MOST_WHOLE)) else MOST_WHOLE + 1
        number = -number if token.startswith("-") else number
        if not LEAST_WHOLE <= number <= MOST_WHOLE:
            self._report("E0404", f"integer constant `{token}` is out of range", origin[0], "not in [-2^63, 2^64-1]")
            return tl.IntegerConstant(0, origin)
        return tl.IntegerConstant(number, origin)

    def FLOAT(self, token: Token) -> tl.FloatConstant:
        origin = (self._span(token),)
        value = read_float(token)
        if not math.isfinite(value):
            self._report("E0404", f"floating constant `{token}` is out of range", origin[0], "not a finite double")
            return tl.FloatConstant(0.0, origin)
        return tl.FloatConstant(value, origin)

    def DYNAMIC(self, _token: Token) -> None:
        return None

    def SCALAR(self, token: Token) -> Placed[ScalarType]:
        return Placed(_read_scalar(token), self._span(token))

    def PLAIN_MEMREF(self, token: Token) -> Placed[MemrefType]:
        span = self._span(token)
        element, shape, strides = _read_memref(token)
        if strides is None:
            return self._memref(element, shape, None, span)
        layout = Span(self._source, span.start + token.index("strided"), span.end - 1)
        return self._memref(element, shape, Placed(strides, layout), span)

    def TRANSPOSE(self, token: Token) -> tl.Transpose:
        return tl.Transpose(token[1:])

    # -- helpers -------------------------------------------------------------------------------------------------------

    def _memref(
        self,
        element: ScalarType,
        shape: tuple[Extent, ...],
        strides: Placed[tuple[Extent, ...]] | None,
        span: Span,
    ) -> Placed[MemrefType]:
        layout = canonical_strides(shape) if strides is None else strides.value
        if strides is not None and len(layout) != len(shape):
            found, wanted = counted(len(layout), "stride"), counted(len(shape), "mode")
            self._report("E0405", f"a layout of {found} for a tensor of {wanted}", strides.span, "one stride per mode")
            layout = canonical_strides(shape)
        if _last_position(shape, layout) > LARGEST_INTEGER:
            self._report("E0404", "this tensor has entries at positions beyond 2^63-1", span)
        return Placed(MemrefType(element, shape, layout), span)

    def _natural(self, number: tl.IntegerConstant, what: str) -> int:
        if number.value < 0:
            self._report("E0404", f"{what} cannot be negative", number.origin[0])
            return 0
        return number.value


def number_of(operand: tl.Operand, type_: ScalarType) -> tl.Operand:
    """The operand, a literal of a floating-point or complex type as the nearest number of that: `1` is `1.0` there."""
    if type_.is_complex and isinstance(operand, tl.IntegerConstant | tl.FloatConstant):
        return tl.ComplexConstant(complex(operand.value), operand.origin)
    if isinstance(operand, tl.IntegerConstant) and type_.is_floating:
        return tl.FloatConstant(float(operand.value), operand.origin)
    return operand


def _read_scalar(text: str) -> ScalarType:
    return ScalarType.BOOL if text in BOOLEAN_SPELLINGS else ScalarType(str(text))


@lru_cache(maxsize=1024)
def _read_memref(text: str) -> tuple[ScalarType, tuple[Extent, ...], tuple[Extent, ...] | None]:
    """Element type, shape and, if they are given, strides of a memref type without blanks."""
    match = PLAIN_MEMREF.fullmatch(text)
    if match is None:
        raise CompilerBug(f"{text!r} is no memref type, but the grammar says that it is")
    element, shape, strides = match.groups()
    sizes = tuple(map(_read_extent, shape.split("x")[1:]))
    return _read_scalar(element), sizes, None if strides is None else tuple(map(_read_extent, strides.split(",")))


def _read_extent(text: str) -> Extent:
    return None if text == "?" else int(text)


def _last_position(shape: tuple[Extent, ...], strides: tuple[Extent, ...]) -> int:
    """Where the last entry is, as far as the sizes and strides are known."""
    return sum((size - 1) * stride for size, stride in zip(shape, strides, strict=True) if size and stride)
