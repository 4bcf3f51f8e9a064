"""Parse tree to nodes: identifiers, numbers, types and index maps, each with its place.

The methods are named after the rules and terminals of grammar.lark, which calls them from the leaves upwards. Mistakes
that the grammar cannot see (numbers out of range) are collected in `diagnostics`.
"""

import math

from lark import Token, v_args

from einsum_front.core.extent import Extent, TooLargeError
from einsum_front.core.extent_text import NoExtentError, parse_extent
from einsum_front.core.limits import LARGEST_DEGREE, LARGEST_INTEGER, MOST_TERMS_OF_SIZES
from einsum_front.core.numbers import read_float
from einsum_front.core.parsing import Placed, PlacedReader
from einsum_front.core.payload import Entry
from einsum_front.ir.yateto.nodes import (
    BinaryMap,
    Distance,
    ElementwiseMap,
    FloatConstant,
    Fused,
    GroupType,
    Indices,
    Local,
    LogMap,
    Looped,
    MapEntry,
    MemrefType,
    Plain,
    Pointers,
    Position,
    ScalarType,
    Slice,
    UnaryMap,
    packed_strides,
)

MOST_DIGITS = 6
"""Digits of the number of an entry."""


@v_args(inline=True)
class OperandReader(PlacedReader):
    """Reads operands, types and maps of one source."""

    # -- identifiers and numbers ---------------------------------------------------------------------------------------

    def LOCAL(self, token: Token) -> Local:
        return Local(token[1:], (self._span(token),))

    def GLOBAL(self, token: Token) -> Placed[str]:
        return Placed(token[1:], self._span(token))

    def INTEGER(self, token: Token) -> Placed[int]:
        span = self._span(token)
        digits = token.lstrip("+-").lstrip("0")
        if len(digits) > len(str(LARGEST_INTEGER)) or int(digits or "0") > LARGEST_INTEGER:
            self._report("E0463", f"integer constant `{token}` is out of range", span, "not in [-2^63+1, 2^63-1]")
            return Placed(1, span)
        return Placed(int(token), span)

    def OPEN(self, token: Token) -> Placed[Extent]:
        span = self._span(token)
        try:
            return Placed(parse_extent(token[1:-1]), span)
        except TooLargeError:
            limits = f"at most {MOST_TERMS_OF_SIZES} terms of a degree up to {LARGEST_DEGREE}"
            self._report("E0463", "this polynomial of sizes is too large", span, limits)
        except NoExtentError:
            message = f"`{token}` is no sum of products of sizes and integers"
            self._report("E0460", message, span, "such as `[n]` or `[2*n + 1]`")
        return Placed(1, span)

    def FLOAT(self, token: Token) -> FloatConstant:
        value = read_float(token)
        if not math.isfinite(value):
            message = f"floating constant `{token}` is out of range"
            self._report("E0463", message, self._span(token), "not a finite double")
            value = 0.0
        return FloatConstant(value, (self._span(token),))

    # -- types ---------------------------------------------------------------------------------------------------------

    def SCALAR(self, token: Token) -> Placed[ScalarType]:
        return Placed(ScalarType(str(token)), self._span(token))

    def shape(self, *modes: Placed[Extent]) -> tuple[Extent, ...]:
        return tuple(mode.value for mode in modes)

    def strides(self, _start: Token, strides: tuple[Extent, ...], _end: Token) -> tuple[Extent, ...]:
        return strides

    def numbers(self, *numbers: Placed[Extent]) -> tuple[Extent, ...]:
        return tuple(number.value for number in numbers)

    def memref(
        self,
        start: Token,
        element: Placed[ScalarType],
        shape: tuple[Extent, ...],
        strides: tuple[Extent, ...] | None,
        end: Token,
    ) -> Placed[MemrefType]:
        layout = packed_strides(shape) if strides is None else strides
        return Placed(MemrefType(element.value, shape, layout), self._span(start).to(self._span(end)))

    def group(
        self, start: Token, memref: Placed[MemrefType], layout: Distance | Pointers, end: Token
    ) -> Placed[GroupType]:
        return Placed(GroupType(memref.value, layout), self._span(start).to(self._span(end)))

    def distance(self, _start: Token, elements: Placed[int], _end: Token) -> Distance:
        return Distance(elements.value)

    def pointers(self, _keyword: Token) -> Pointers:
        return Pointers()

    # -- maps ----------------------------------------------------------------------------------------------------------

    def unary_map(self, start: Token, source: Indices, target: Indices, end: Token) -> UnaryMap:
        return UnaryMap(source, target, self._from(start, end))

    def binary_map(self, start: Token, left: Indices, right: Indices, target: Indices, end: Token) -> BinaryMap:
        return BinaryMap(left, right, target, self._from(start, end))

    def elementwise_map(
        self, start: Token, sources: tuple[Indices, ...], target: Indices, end: Token
    ) -> ElementwiseMap:
        return ElementwiseMap(sources, target, self._from(start, end))

    def sources(self, *sources: Indices) -> tuple[Indices, ...]:
        return sources

    def ENTRY(self, token: Token) -> Placed[Entry]:
        digits = token[1:].lstrip("0") or "0"
        if len(digits) > MOST_DIGITS:
            self._report("E0463", f"`{token}` is out of range", self._span(token))
            digits = "0"
        return Placed(Entry(int(digits)), self._span(token))

    def log_map(
        self,
        start: Token,
        left: tuple[MapEntry, ...],
        right: tuple[MapEntry, ...],
        target: tuple[MapEntry, ...],
        end: Token,
    ) -> LogMap:
        return LogMap(left, right, target, self._from(start, end))

    def indices(self, *words: Token) -> Indices:
        return tuple("".join(words))

    def entries(self, *parts: Token | MapEntry) -> tuple[MapEntry, ...]:
        entries: list[MapEntry] = []
        for part in parts:
            if isinstance(part, Token):
                entries.extend(Plain(letter) for letter in part)
            else:
                entries.append(part)
        return tuple(entries)

    def looped(self, letters: Token) -> Looped:
        if len(letters) > 1:
            each = "".join(f"[{letter}]" for letter in letters)
            message = f"`[{letters}]` has {len(letters)} indices, but a loop runs over one"
            self._report("E0460", message, self._span(letters), f"`{each}` loops over each of them")
        return Looped(letters[0])

    def fused(self, *words: Token) -> Fused:
        return Fused(tuple("".join(words)))

    # -- parts of a view -----------------------------------------------------------------------------------------------

    def parts(self, *parts: Position | Slice) -> tuple[Position | Slice, ...]:
        return parts

    def constant_position(self, index: Placed[int]) -> Position:
        return Position(index.value)

    def position(self, type_: Placed[ScalarType], index: Local) -> Position:
        return Position(index, type_.value)

    def slice(self, start: Placed[int] | None, _colon: Token, stop: Placed[int] | None) -> Slice:
        return Slice(None if start is None else start.value, None if stop is None else stop.value)
