"""Parse tree to nodes: identifiers, numbers, types and index maps, each with its place.

The methods are named after the rules and terminals of grammar.lark, which calls them from the leaves upwards. Mistakes
that the grammar cannot see (numbers out of range) are collected in `diagnostics`.
"""

import math

from lark import Token, v_args

from einsum_front.core.extent import Extent, TooLargeError
from einsum_front.core.extent_text import NoExtentError, parse_extent
from einsum_front.core.limits import LARGEST_DEGREE, LEAST_WHOLE, MOST_TERMS_OF_SIZES, MOST_WHOLE
from einsum_front.core.numbers import read_float
from einsum_front.core.parsing import Placed, PlacedReader
from einsum_front.core.payload import Entry
from einsum_front.core.storage import ElementType
from einsum_front.ir.yateto import nodes as yir

MOST_DIGITS = 6
"""Digits of the number of an entry."""


@v_args(inline=True)
class OperandReader(PlacedReader):
    """Reads operands, types and maps of one source."""

    # -- identifiers and numbers ---------------------------------------------------------------------------------------

    def LOCAL(self, token: Token) -> yir.Local:
        return yir.Local(token[1:], (self._span(token),))

    def GLOBAL(self, token: Token) -> Placed[str]:
        return Placed(token[1:], self._span(token))

    def INTEGER(self, token: Token) -> Placed[int]:
        span = self._span(token)
        digits = token.lstrip("+-").lstrip("0")
        if len(digits) > len(str(MOST_WHOLE)) or not LEAST_WHOLE <= int(token) <= MOST_WHOLE:
            self._report("E0463", f"integer constant `{token}` is out of range", span, "not in [-2^63, 2^64-1]")
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

    def FLOAT(self, token: Token) -> yir.Constant:
        value = read_float(token)
        if not math.isfinite(value):
            message = f"floating constant `{token}` is out of range"
            self._report("E0463", message, self._span(token), "not a finite double")
            value = 0.0
        return yir.Constant(value, (self._span(token),))

    def whole(self, number: Placed[int]) -> yir.Constant:
        return yir.Constant(number.value, number.origin)

    # -- types ---------------------------------------------------------------------------------------------------------

    def SCALAR(self, token: Token) -> Placed[ElementType]:
        return Placed(ElementType(str(token)), self._span(token))

    def shape(self, *modes: Placed[Extent]) -> tuple[Extent, ...]:
        return tuple(mode.value for mode in modes)

    def strides(self, _start: Token, strides: tuple[Extent, ...], _end: Token) -> tuple[Extent, ...]:
        return strides

    def numbers(self, *numbers: Placed[Extent]) -> tuple[Extent, ...]:
        return tuple(number.value for number in numbers)

    def memref(
        self,
        start: Token,
        element: Placed[ElementType],
        shape: tuple[Extent, ...],
        strides: tuple[Extent, ...] | None,
        end: Token,
    ) -> Placed[yir.MemrefType]:
        layout = yir.packed_strides(shape) if strides is None else strides
        return Placed(yir.MemrefType(element.value, shape, layout), self._span(start).to(self._span(end)))

    def group(
        self, start: Token, memref: Placed[yir.MemrefType], layout: yir.Layout, end: Token
    ) -> Placed[yir.GroupType]:
        return Placed(yir.GroupType(memref.value, layout), self._span(start).to(self._span(end)))

    def distance(self, _start: Token, elements: Placed[int], _end: Token) -> yir.Distance:
        return yir.Distance(elements.value)

    def pointers(self, _keyword: Token) -> yir.Pointers:
        return yir.Pointers()

    def after(self, _keyword: Token, modes: Placed[int], _end: Token) -> yir.After:
        return yir.After(modes.value)

    # -- maps ----------------------------------------------------------------------------------------------------------

    def unary_map(self, start: Token, source: yir.Indices, target: yir.Indices, end: Token) -> yir.UnaryMap:
        return yir.UnaryMap(source, target, self._from(start, end))

    def binary_map(
        self, start: Token, left: yir.Indices, right: yir.Indices, target: yir.Indices, end: Token
    ) -> yir.BinaryMap:
        return yir.BinaryMap(left, right, target, self._from(start, end))

    def elementwise_map(
        self, start: Token, sources: tuple[yir.Indices, ...], target: yir.Indices, end: Token
    ) -> yir.ElementwiseMap:
        return yir.ElementwiseMap(sources, target, self._from(start, end))

    def sources(self, *sources: yir.Indices) -> tuple[yir.Indices, ...]:
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
        left: tuple[yir.MapEntry, ...],
        right: tuple[yir.MapEntry, ...],
        target: tuple[yir.MapEntry, ...],
        end: Token,
    ) -> yir.LogMap:
        return yir.LogMap(left, right, target, self._from(start, end))

    def gather_map(
        self,
        start: Token,
        places: tuple[str | int | yir.Entry, ...],
        element: yir.Entry | None,
        member: yir.Entry | None,
        target: yir.Indices,
        end: Token,
    ) -> yir.GatherMap:
        return yir.GatherMap(places, element, member, target, self._from(start, end))

    def places(self, *places: Token | Placed[int] | yir.Entry) -> tuple[str | int | yir.Entry, ...]:
        return tuple(map(self._place_of_mode, places))

    def _place_of_mode(self, place: Token | Placed[int] | yir.Entry) -> str | int | yir.Entry:
        if isinstance(place, Token) and len(place) > 1:
            self._report("E0460", f"`{place}` is the place of one mode: a letter", self._span(place))
        return place[0] if isinstance(place, Token) else place.value if isinstance(place, Placed) else place

    def gather_entry(self, integers: yir.Local, indices: yir.Indices) -> yir.Entry:
        """The type of the integers stands behind the map."""
        return yir.Entry(yir.Operand(integers, yir.MemrefType(ElementType.I32, (), ())), indices)

    def indices(self, *words: Token) -> yir.Indices:
        return tuple("".join(words))

    def entries(self, *parts: Token | yir.MapEntry) -> tuple[yir.MapEntry, ...]:
        entries: list[yir.MapEntry] = []
        for part in parts:
            if isinstance(part, Token):
                entries.extend(yir.Plain(letter) for letter in part)
            else:
                entries.append(part)
        return tuple(entries)

    def looped(self, letters: Token) -> yir.Looped:
        if len(letters) > 1:
            each = "".join(f"[{letter}]" for letter in letters)
            message = f"`[{letters}]` has {len(letters)} indices, but a loop runs over one"
            self._report("E0460", message, self._span(letters), f"`{each}` loops over each of them")
        return yir.Looped(letters[0])

    def fused(self, *words: Token) -> yir.Fused:
        return yir.Fused(tuple("".join(words)))

    # -- parts of a view -----------------------------------------------------------------------------------------------

    def parts(self, *parts: yir.Position | yir.Slice) -> tuple[yir.Position | yir.Slice, ...]:
        return parts

    def constant_position(self, index: Placed[int]) -> yir.Position:
        return yir.Position(index.value)

    def position(self, type_: Placed[ElementType], index: yir.Local) -> yir.Position:
        return yir.Position(index, type_.value)

    def slice(self, start: Placed[int] | None, _colon: Token, stop: Placed[int] | None) -> yir.Slice:
        return yir.Slice(None if start is None else start.value, None if stop is None else stop.value)
