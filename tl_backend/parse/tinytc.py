"""Text of Tiny Tensor Compiler 0.4 to nodes, in two steps: what is said, then what it means.

    %a = constant 1.0 : f64                        gemm.n.t 1.0, %A, %B, 0.0, %C
    %b = constant 0.0 : f64                =>          : f64, memref<f64x8x9>, memref<f64x4x9>, f64, memref<f64x8x4>
    gemm.n.t %a, %A, %B, %b, %C

Operands have no types there, so the second step goes through the text from above with the types of what is in sight.
Constants stand where they are used. `parallel` is a `foreach` of one iteration, a `foreach` over several variables one
with loops inside: nothing here asks which work-item runs. Launches have one dimension, so `group_id.y` is 0. Hints
(`alignment`, `shape_gcd`, `stride_gcd`, `unroll`) are left out. What has no counterpart is refused (E0409).
"""

from dataclasses import replace
from typing import NamedTuple

from lark import Token, v_args

from einsum_front.core.diagnostics import Source
from einsum_front.core.origins import Sources
from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.meaning import Meaning
from einsum_front.tl_backend.parse.program import Attribute, ProgramReader
from einsum_front.tl_backend.parse.said import (
    Cooperative,
    Said,
    ShapeOfMode,
    Subscripted,
    asks_for_item,
    is_cooperative,
    walk,
)
from einsum_front.tl_backend.program import Argument, Function
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType, Type


class Carried(NamedTuple):
    """What a loop calls a value that it carries, and what that is at first."""

    name: tl.Local
    value: tl.Operand


@v_args(inline=True)
class DialectReader(ProgramReader):
    """Reads the program of one source; the rules of its grammar that it shares with grammar.lark are inherited."""

    def __init__(self, source: Source, known: Sources) -> None:
        super().__init__(source, known)
        self._counted: list[int | None] = []
        self._members: dict[str, int | None] = {}
        """How many members the groups among the arguments have."""

    def function(  # type: ignore[override]  # a body is what is said until here
        self,
        start: Token,
        name: Placed[str],
        arguments: tuple[Argument, ...],
        attributes: tuple[Attribute, ...],
        body: Placed[tuple[Said, ...]],
    ) -> Function:
        meaning = Meaning(arguments, self.diagnostics, attributes, self._members)
        inside = list(walk(body.value))
        if any(each.words == ("foreach_tile",) or is_cooperative(each) or asks_for_item(each) for each in inside):
            attributes = ()  # sub-groups are loops and memory now: devices without them run the function as well
        region = Placed(meaning.body(body.value, arguments), body.span)
        taken = tuple(replace(each, type=ScalarType.I8) if each.type is ScalarType.BOOL else each for each in arguments)
        return super().function(start, name, taken, attributes, region)

    def argument(  # type: ignore[override]
        self, name: tl.Local, type_: Placed[Type | Cooperative], _hints: object
    ) -> Argument:
        type_of_argument = type_.value
        if isinstance(type_of_argument, Cooperative):
            self._report("E0405", "an argument cannot be a cooperative matrix", type_.span)
            type_of_argument = ScalarType.INDEX
        if isinstance(type_of_argument, GroupType):
            self._members[name.name] = self._counted.pop()
        return Argument(name, type_of_argument, self._from(name, type_))

    def cooperative(
        self, start: Token, element: Placed[ScalarType], rows: tl.IntegerConstant, columns: tl.IntegerConstant,
        use: Token, end: Token,
    ) -> Placed[Cooperative]:  # fmt: skip
        shape = [self._extent(each, "a number of rows or columns") or 1 for each in (rows, columns)]
        return Placed(Cooperative(element.value, shape[0], shape[1], str(use)), self._span(start).to(self._span(end)))

    def attributes(self, *parts: Token | Attribute) -> tuple[Attribute, ...]:
        return tuple(part for part in parts if isinstance(part, tuple))

    def attribute(self, keyword: Token, *numbers: tl.IntegerConstant) -> Attribute:
        return keyword, tuple(number.value for number in numbers)

    def hints(self, *_hints: object) -> None:
        return None

    def group(  # type: ignore[override]  # the number of members is the matter of the launch
        self, start: Token, memref: Placed[MemrefType], members: object, offset: Extent, end: Token
    ) -> Placed[GroupType]:
        self._counted.append(members.value if isinstance(members, tl.IntegerConstant) else None)
        return super().group(start, memref, offset, end)

    # -- instructions --------------------------------------------------------------------------------------------------

    def simple(
        self,
        results: tuple[tl.Local, ...] | None,
        word: Token,
        operands: tuple[tl.Operand | Subscripted, ...],
        _colon: Token | None,
        type_: Placed[Type | Cooperative] | None,
    ) -> Said:
        last = operands[-1] if type_ is None else type_
        origin = self._from(results[0] if results else word, last)
        types = () if type_ is None else (type_,)
        return Said(tuple(word.split(".")), self._span(word), origin, results or (), operands, types)

    def without_operands(
        self,
        results: tuple[tl.Local, ...] | None,
        word: Token,
        _hints: object,
        colon: Token,
        type_: Placed[Type | Cooperative],
    ) -> Said:
        return self.simple(results, word, (), colon, type_)

    def barrier(self, word: Token) -> Said:  # type: ignore[override]
        return Said(("barrier",), self._span(word), (self._span(word),))

    def yield_values(  # type: ignore[override]
        self, word: Token, values: tuple[tl.Operand, ...], end: Token
    ) -> Said:
        return Said(("yield",), self._span(word), self._from(word, end), operands=values)

    def for_loop(  # type: ignore[override]
        self,
        word: Token,
        variable: tl.Local,
        start: tl.Operand,
        stop: tl.Operand,
        step: tl.Operand | None,
        body: Placed[tuple[Said, ...]],
        _hints: object,
    ) -> Said:
        bounds = (start, stop, tl.IntegerConstant(1) if step is None else step)
        origin = self._from(word, body)
        return Said(("for",), self._span(word), origin, (), bounds, (), (variable,), (body.value,))

    def carried(self, name: tl.Local, value: tl.Operand) -> "Carried":
        return Carried(name, value)

    def carrying_loop(
        self,
        named: tuple[tl.Local, ...] | None,
        word: Token,
        variable: tl.Local,
        start: tl.Operand,
        stop: tl.Operand,
        step: tl.Operand | None,
        _init: Token,
        *rest: object,
    ) -> Said:
        results = named or ()
        pairs = [each for each in rest if isinstance(each, Carried)]
        others = [each for each in rest if not isinstance(each, Carried)]
        types: tuple[Placed[Type | Cooperative], ...] = next(each for each in others if isinstance(each, tuple))
        body: Placed[tuple[Said, ...]] = next(each for each in rest if isinstance(each, Placed))
        if not len(pairs) == len(types) == len(results):
            message = f"a loop carries {len(pairs)} values, and has {len(types)} types and {len(results)} results"
            self._report("E0401", message, self._span(word))
            count = min(len(pairs), len(types), len(results))
            pairs, types, results = pairs[:count], types[:count], results[:count]
        bounds = (start, stop, tl.IntegerConstant(1) if step is None else step)
        operands = (*bounds, *(each.value for each in pairs))
        names = tuple(each.name for each in pairs)
        span, origin = self._span(word), self._from(word, body)
        return Said(("for",), span, origin, results, operands, types, (variable,), (body.value,), names)

    def foreach_tile(
        self,
        word: Token,
        variables: tuple[tl.Local, ...],
        starts: tuple[tl.Operand, ...],
        stops: tuple[tl.Operand, ...],
        _as: Token,
        sizes: tuple[tl.Local, ...],
        shape: tuple[tl.Operand, ...],
        body: Placed[tuple[Said, ...]],
    ) -> Said:
        if len({len(each) for each in (variables, starts, stops, sizes, shape)}) > 1:
            self._report("E0401", "a `foreach_tile` has as many bounds and sizes as variables", self._span(word))
            starts = stops = shape = (tl.IntegerConstant(1),) * len(variables)
            sizes = variables
        origin = self._from(word, body)
        operands = (*starts, *stops, *shape)
        return Said(("foreach_tile",), self._span(word), origin, (), operands, (), variables, (body.value,), sizes)

    def foreach_loop(  # type: ignore[override]
        self,
        word: Token,
        variables: tuple[tl.Local, ...],
        starts: tuple[tl.Operand, ...],
        stops: tuple[tl.Operand, ...],
        body: Placed[tuple[Said, ...]],
    ) -> Said:
        if not len(variables) == len(starts) == len(stops):
            counts = f"{len(variables)}, {len(starts)} and {len(stops)}"
            self._report("E0401", "a `foreach` has as many variables as bounds", self._span(word), counts)
            starts = stops = (tl.IntegerConstant(0),) * len(variables)
        origin = self._from(word, body)
        return Said(("foreach",), self._span(word), origin, (), (*starts, *stops), (), variables, (body.value,))

    def if_else(  # type: ignore[override]
        self,
        results: tuple[tl.Local, ...] | None,
        word: Token,
        condition: tl.Operand,
        types: tuple[Placed[Type | Cooperative], ...] | None,
        then: Placed[tuple[Said, ...]],
        otherwise: Placed[tuple[Said, ...]] | None,
    ) -> Said:
        origin = self._from(results[0] if results else word, otherwise or then)
        regions = (then.value,) if otherwise is None else (then.value, otherwise.value)
        return Said(("if",), self._span(word), origin, results or (), (condition,), types or (), (), regions)

    def apply(
        self,
        results: tuple[tl.Local, ...] | None,
        word: Token,
        names: tuple[tl.Local, ...],
        operand: tl.Local,
        type_: Placed[Cooperative],
        body: Placed[tuple[Said, ...]],
    ) -> Said:
        origin = self._from(results[0] if results else word, body)
        types: tuple[Placed[Type | Cooperative], ...] = (Placed(type_.value, type_.span),)
        return Said((str(word),), self._span(word), origin, results or (), (operand,), types, names, (body.value,))

    def parallel(self, word: Token, body: Placed[tuple[Said, ...]]) -> Said:
        return Said(("parallel",), self._span(word), self._from(word, body), regions=(body.value,))

    # -- operands ------------------------------------------------------------------------------------------------------

    def locals(self, *names: tl.Local) -> tuple[tl.Local, ...]:
        return names

    def values(self, *values: tl.Operand) -> tuple[tl.Operand, ...]:
        return values

    def subscripted(self, value: tl.Local, *rest: tl.Position | tl.Slice | ShapeOfMode | Token) -> Subscripted:
        *subscripts, end = rest
        parts = tuple(part for part in subscripts if not isinstance(part, Token))
        assert isinstance(end, Token)
        return Subscripted(value, parts, self._from(value, end))

    def slice(  # type: ignore[override]
        self, offset: tl.IndexOperand, _colon: Token, size: tl.IndexOperand | None
    ) -> tl.Position | tl.Slice:
        """A size of 0 takes the mode away, as one position does."""
        is_position = isinstance(size, tl.IntegerConstant) and size.value == 0
        return tl.Position(offset) if is_position else tl.Slice(offset, size)

    def shape_of_mode(self, mode: tl.IntegerConstant, *shape: tl.IndexOperand) -> ShapeOfMode:
        return ShapeOfMode(mode, shape)
