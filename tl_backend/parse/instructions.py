"""Parse tree to nodes: the instructions that are not collective."""

from typing import cast

from lark import Token, v_args

from einsum_front.core.diagnostics import Source
from einsum_front.core.functions import Function
from einsum_front.core.origins import Sources
from einsum_front.core.parsing import Placed
from einsum_front.tl_backend.instructions import (
    Alloca,
    ArithBinary,
    ArithUnary,
    Barrier,
    BinaryOperator,
    Cast,
    Compare,
    Condition,
    Expand,
    For,
    Foreach,
    Fuse,
    GroupId,
    GroupSize,
    If,
    IndexOperand,
    Instruction,
    IntegerConstant,
    LifetimeStop,
    Load,
    Local,
    MathCall,
    Operand,
    Position,
    Region,
    Size,
    Slice,
    Store,
    Subview,
    UnaryOperator,
    Yield,
)
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

    def alloca(self, result: Local, memory: Token | None, memref: Placed[MemrefType]) -> Alloca:
        origin = self._from(result, memref)
        nonzeros, mistakes = read_nonzeros(self._facts.take(origin[0].start), result)
        self.diagnostics += mistakes
        return Alloca(result, memref.value, origin, memory is not None, nonzeros)

    def binary(
        self, result: Local, operator: Token, left: Operand, right: Operand, type_: Placed[ScalarType]
    ) -> ArithBinary:
        binary = BinaryOperator(operator.removeprefix("."))
        left, right = number_of(left, type_.value), number_of(right, type_.value)
        return ArithBinary(result, binary, left, right, type_.value, self._from(result, type_))

    def unary(self, result: Local, operator: Token, operand: Operand, type_: Placed[ScalarType]) -> ArithUnary:
        unary = UnaryOperator(operator.removeprefix("."))
        operand = number_of(operand, type_.value)
        return ArithUnary(result, unary, operand, type_.value, self._from(result, type_))

    def cast(self, result: Local, operand: Operand, source: Placed[ScalarType], target: Placed[ScalarType]) -> Cast:
        operand = number_of(operand, source.value)
        return Cast(result, operand, source.value, target.value, self._from(result, target))

    def compare(
        self, result: Local, condition: Token, left: Operand, right: Operand, type_: Placed[ScalarType]
    ) -> Compare:
        left, right = number_of(left, type_.value), number_of(right, type_.value)
        return Compare(result, Condition(condition[1:]), left, right, type_.value, self._from(result, type_))

    def expand(
        self,
        result: Local,
        operand: Local,
        mode: IntegerConstant,
        shape: tuple[IndexOperand | None, ...],
        memref: Placed[MemrefType],
    ) -> Expand:
        return Expand(result, operand, self._mode(mode), shape, memref.value, self._from(result, memref))

    def fuse(
        self, result: Local, operand: Local, first: IntegerConstant, last: IntegerConstant, memref: Placed[MemrefType]
    ) -> Fuse:
        return Fuse(result, operand, self._mode(first), self._mode(last), memref.value, self._from(result, memref))

    def group_id(self, result: Local, keyword: Token) -> GroupId:
        return GroupId(result, self._from(result, keyword))

    def group_size(self, result: Local, keyword: Token) -> GroupSize:
        return GroupSize(result, self._from(result, keyword))

    def load(
        self,
        result: Local,
        operand: Local,
        indices: tuple[IndexOperand, ...],
        type_: Placed[MemrefType] | Placed[GroupType],
    ) -> Load:
        return Load(result, operand, indices, type_.value, self._from(result, type_))

    def math(self, result: Local, function: Token, *rest: Operand | Placed[ScalarType]) -> MathCall:
        *operands, type_ = rest
        scalar = cast(Placed[ScalarType], type_)
        numbers = tuple(number_of(cast(Operand, operand), scalar.value) for operand in operands)
        return MathCall(result, Function(function[1:]), numbers, scalar.value, self._from(result, scalar))

    def size(self, result: Local, operand: Local, mode: IntegerConstant, memref: Placed[MemrefType]) -> Size:
        return Size(result, operand, self._mode(mode), memref.value, self._from(result, memref))

    def subview(
        self, result: Local, operand: Local, slices: tuple[Position | Slice, ...], memref: Placed[MemrefType]
    ) -> Subview:
        return Subview(result, operand, slices, memref.value, self._from(result, memref))

    def _mode(self, number: IntegerConstant) -> int:
        return self._natural(number, "a mode number")

    # -- regions -------------------------------------------------------------------------------------------------------

    def results(self, *results: Local) -> tuple[Local, ...]:
        return results

    def if_else(
        self,
        results: tuple[Local, ...] | None,
        keyword: Token,
        condition: IndexOperand,
        types: tuple[Placed[ScalarType], ...] | None,
        then: Placed[Region],
        otherwise: Placed[Region] | None,
    ) -> If:
        return If(
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
        variable: Local,
        start: IndexOperand,
        stop: IndexOperand,
        step: IndexOperand | None,
        type_: Placed[ScalarType] | None,
        body: Placed[Region],
    ) -> For:
        scalar = ScalarType.INDEX if type_ is None else type_.value
        step = IntegerConstant(1) if step is None else step
        return For(variable, start, stop, step, scalar, body.value, self._from(keyword, body))

    def foreach_loop(
        self,
        keyword: Token,
        variable: Local,
        start: IndexOperand,
        stop: IndexOperand,
        type_: Placed[ScalarType] | None,
        body: Placed[Region],
    ) -> Foreach:
        scalar = ScalarType.INDEX if type_ is None else type_.value
        return Foreach(variable, start, stop, scalar, body.value, self._from(keyword, body))

    def region(self, start: Token, instructions: Region, end: Token) -> Placed[Region]:
        return Placed(instructions, self._span(start).to(self._span(end)))

    def instructions(self, *instructions: Instruction) -> Region:
        return instructions

    # -- memory and control --------------------------------------------------------------------------------------------

    def store(
        self,
        keyword: Token,
        value: Local,
        target: Local,
        indices: tuple[IndexOperand, ...],
        memref: Placed[MemrefType],
    ) -> Store:
        return Store(value, target, indices, memref.value, self._from(keyword, memref))

    def yield_values(
        self,
        keyword: Token,
        values: tuple[Operand, ...],
        colon: Token,
        types: tuple[Placed[ScalarType], ...] | None,
    ) -> Yield:
        scalars = tuple(type_.value for type_ in types or ())
        typed = tuple(map(number_of, values, scalars))
        values = (*typed, *values[len(typed) :])
        return Yield(values, scalars, self._from(keyword, types[-1] if types else colon))

    def barrier(self, keyword: Token) -> Barrier:
        return Barrier(self._from(keyword, keyword))

    def lifetime_stop(self, keyword: Token, operand: Local) -> LifetimeStop:
        return LifetimeStop(operand, self._from(keyword, operand))
