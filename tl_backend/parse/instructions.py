"""Parse tree to nodes: the instructions that are not collective."""

from typing import cast

from lark import Token, v_args

from einsum_front.core.diagnostics import Source
from einsum_front.core.functions import Function
from einsum_front.core.origins import Sources
from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.collectives import CollectiveReader
from einsum_front.tl_backend.parse.facts import FactLines, read_nonzeros
from einsum_front.tl_backend.parse.tokens import number_of
from einsum_front.tl_backend.types import GroupType, MemrefType, ScalarType


@v_args(inline=True)
class InstructionReader(CollectiveReader):
    """Reads instructions and regions."""

    def __init__(self, source: Source, known: Sources) -> None:
        super().__init__(source, known)
        self._facts = FactLines(source)

    # -- values --------------------------------------------------------------------------------------------------------

    def alloca_sizes(self, *sizes: tl.Local | None) -> tuple[tl.Local, ...]:
        return tuple(size for size in sizes if size is not None)

    def alloca(
        self, result: tl.Local, memory: Token | None, sizes: tuple[tl.Local, ...], memref: Placed[MemrefType]
    ) -> tl.Alloca:
        origin = self._from(result, memref)
        nonzeros, mistakes = read_nonzeros(self._facts.take(origin[0].start), result)
        self.diagnostics += mistakes
        return tl.Alloca(result, memref.value, origin, memory is not None, nonzeros, sizes)

    def binary(
        self, result: tl.Local, operator: Token, left: tl.Operand, right: tl.Operand, type_: Placed[ScalarType]
    ) -> tl.ArithBinary:
        binary = tl.BinaryOperator(operator.removeprefix("."))
        left, right = number_of(left, type_.value), number_of(right, type_.value)
        return tl.ArithBinary(result, binary, left, right, type_.value, self._from(result, type_))

    def unary(self, result: tl.Local, operator: Token, operand: tl.Operand, type_: Placed[ScalarType]) -> tl.ArithUnary:
        unary = tl.UnaryOperator(operator.removeprefix("."))
        operand = number_of(operand, type_.value)
        return tl.ArithUnary(result, unary, operand, type_.value, self._from(result, type_))

    def cast(
        self, result: tl.Local, operand: tl.Operand, source: Placed[ScalarType], target: Placed[ScalarType]
    ) -> tl.Cast:
        operand = number_of(operand, source.value)
        return tl.Cast(result, operand, source.value, target.value, self._from(result, target))

    def compare(
        self, result: tl.Local, condition: Token, left: tl.Operand, right: tl.Operand, type_: Placed[ScalarType]
    ) -> tl.Compare:
        left, right = number_of(left, type_.value), number_of(right, type_.value)
        return tl.Compare(result, tl.Condition(condition[1:]), left, right, type_.value, self._from(result, type_))

    def expand(
        self,
        result: tl.Local,
        operand: tl.Local,
        mode: tl.IntegerConstant,
        shape: tuple[tl.IndexOperand | None, ...],
        memref: Placed[MemrefType],
    ) -> tl.Expand:
        return tl.Expand(result, operand, self._mode(mode), shape, memref.value, self._from(result, memref))

    def fuse(
        self,
        result: tl.Local,
        operand: tl.Local,
        first: tl.IntegerConstant,
        last: tl.IntegerConstant,
        memref: Placed[MemrefType],
    ) -> tl.Fuse:
        return tl.Fuse(result, operand, self._mode(first), self._mode(last), memref.value, self._from(result, memref))

    def group_id(self, result: tl.Local, keyword: Token) -> tl.GroupId:
        return tl.GroupId(result, self._from(result, keyword))

    def group_size(self, result: tl.Local, keyword: Token) -> tl.GroupSize:
        return tl.GroupSize(result, self._from(result, keyword))

    def load(
        self,
        result: tl.Local,
        operand: tl.Local,
        indices: tuple[tl.IndexOperand, ...],
        type_: Placed[MemrefType] | Placed[GroupType],
    ) -> tl.Load:
        return tl.Load(result, operand, indices, type_.value, self._from(result, type_))

    def math(self, result: tl.Local, function: Token, *rest: tl.Operand | Placed[ScalarType]) -> tl.MathCall:
        *operands, type_ = rest
        scalar = cast(Placed[ScalarType], type_)
        numbers = tuple(number_of(cast(tl.Operand, operand), scalar.value) for operand in operands)
        return tl.MathCall(result, Function(function[1:]), numbers, scalar.value, self._from(result, scalar))

    def size(
        self, result: tl.Local, operand: tl.Local, mode: tl.IntegerConstant, memref: Placed[MemrefType]
    ) -> tl.Size:
        return tl.Size(result, operand, self._mode(mode), memref.value, self._from(result, memref))

    def subview(
        self,
        result: tl.Local,
        operand: tl.Local,
        slices: tuple[tl.Position | tl.Slice, ...],
        memref: Placed[MemrefType],
    ) -> tl.Subview:
        return tl.Subview(result, operand, slices, memref.value, self._from(result, memref))

    def _mode(self, number: tl.IntegerConstant) -> int:
        return self._natural(number, "a mode number")

    # -- regions -------------------------------------------------------------------------------------------------------

    def results(self, *results: tl.Local) -> tuple[tl.Local, ...]:
        return results

    def if_else(
        self,
        results: tuple[tl.Local, ...] | None,
        keyword: Token,
        condition: tl.IndexOperand,
        types: tuple[Placed[ScalarType], ...] | None,
        then: Placed[tl.Region],
        otherwise: Placed[tl.Region] | None,
    ) -> tl.If:
        return tl.If(
            results or (),
            condition,
            tuple(type_.value for type_ in types or ()),
            then.value,
            None if otherwise is None else otherwise.value,
            self._from(results[0] if results else keyword, otherwise or then),
        )

    def for_loop(
        self,
        keyword: Token,
        variable: tl.Local,
        start: tl.IndexOperand,
        stop: tl.IndexOperand,
        step: tl.IndexOperand | None,
        type_: Placed[ScalarType] | None,
        body: Placed[tl.Region],
    ) -> tl.For:
        scalar = ScalarType.INDEX if type_ is None else type_.value
        step = tl.IntegerConstant(1) if step is None else step
        return tl.For(variable, start, stop, step, scalar, body.value, self._from(keyword, body))

    def foreach_loop(
        self,
        keyword: Token,
        variable: tl.Local,
        start: tl.IndexOperand,
        stop: tl.IndexOperand,
        type_: Placed[ScalarType] | None,
        body: Placed[tl.Region],
    ) -> tl.Foreach:
        scalar = ScalarType.INDEX if type_ is None else type_.value
        return tl.Foreach(variable, start, stop, scalar, body.value, self._from(keyword, body))

    def region(self, start: Token, instructions: tl.Region, end: Token) -> Placed[tl.Region]:
        return Placed(instructions, self._span(start).to(self._span(end)))

    def instructions(self, *instructions: tl.Instruction) -> tl.Region:
        return instructions

    # -- memory and control --------------------------------------------------------------------------------------------

    def store(
        self,
        keyword: Token,
        value: tl.Local,
        target: tl.Local,
        indices: tuple[tl.IndexOperand, ...],
        memref: Placed[MemrefType],
    ) -> tl.Store:
        return tl.Store(value, target, indices, memref.value, self._from(keyword, memref))

    def yield_values(
        self,
        keyword: Token,
        values: tuple[tl.Operand, ...],
        colon: Token,
        types: tuple[Placed[ScalarType], ...] | None,
    ) -> tl.Yield:
        scalars = tuple(type_.value for type_ in types or ())
        typed = tuple(map(number_of, values, scalars))
        values = (*typed, *values[len(typed) :])
        return tl.Yield(values, scalars, self._from(keyword, types[-1] if types else colon))

    def barrier(self, keyword: Token) -> tl.Barrier:
        return tl.Barrier(self._from(keyword, keyword))

    def lifetime_stop(self, keyword: Token, operand: tl.Local) -> tl.LifetimeStop:
        return tl.LifetimeStop(operand, self._from(keyword, operand))
