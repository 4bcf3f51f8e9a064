"""Parse tree to nodes: the instructions that are not collective."""

from typing import cast

from lark import Token, v_args

from einsum_front.core.diagnostics import Source
from einsum_front.core.functions import Function
from einsum_front.core.origins import Sources
from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.facts import FactLines, read_nonzeros
from einsum_front.tl_backend.parse.tokens import TokenReader, number_of
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType

# -- parse tree to nodes: index lists and types, each with its place ---------------------------------------------------


@v_args(inline=True)
class OperandReader(TokenReader):
    """Reads operands and types."""

    def complex_constant(self, real: tl.Constant, imaginary: tl.Constant, *_end: Token) -> tl.ComplexConstant:
        return tl.ComplexConstant(
            complex(float(real.value.real), float(imaginary.value.real)), self._from(real, imaginary)
        )

    # -- index lists ---------------------------------------------------------------------------------------------------

    def operands(self, *operands: tl.Operand) -> tuple[tl.Operand, ...]:
        return operands

    def indices(self, *indices: tl.IndexOperand) -> tuple[tl.IndexOperand, ...]:
        return indices

    def slices(self, *slices: tl.Position | tl.Slice) -> tuple[tl.Position | tl.Slice, ...]:
        return slices

    def extents(self, *extents: tl.IndexOperand | None) -> tuple[tl.IndexOperand | None, ...]:
        return extents

    def position(self, index: tl.IndexOperand) -> tl.Position:
        return tl.Position(index)

    def slice(self, offset: tl.IndexOperand | Token, size: tl.IndexOperand | None = None) -> tl.Slice:
        if isinstance(offset, Token):
            return tl.Slice(tl.IntegerConstant(0, (self._span(offset),)), None)
        return tl.Slice(offset, size)

    # -- types ---------------------------------------------------------------------------------------------------------

    def scalars(self, *scalars: Placed[ScalarType]) -> tuple[Placed[ScalarType], ...]:
        return scalars

    def shape(self, *modes: tl.IntegerConstant | None) -> tuple[Extent, ...]:
        return tuple(self._extent(mode, "a mode size") for mode in modes)

    def modes(self, *modes: tl.IntegerConstant | None) -> tuple[Extent, ...]:
        return tuple(self._extent(mode, "a stride") for mode in modes)

    def strides(self, start: Token, strides: tuple[Extent, ...], end: Token) -> Placed[tuple[Extent, ...]]:
        return Placed(strides, self._span(start).to(self._span(end)))

    def spread_memref(
        self,
        start: Token,
        element: Placed[ScalarType],
        shape: tuple[Extent, ...],
        strides: Placed[tuple[Extent, ...]] | None,
        end: Token,
    ) -> Placed[MemrefType]:
        return self._memref(element.value, shape, strides, self._span(start).to(self._span(end)))

    def offset(self, *given: tl.IntegerConstant | None) -> Extent:
        return self._extent(given[0], "an offset") if given else 0

    def group(self, start: Token, memref: Placed[MemrefType], offset: Extent, end: Token) -> Placed[GroupType]:
        return Placed(GroupType(memref.value, offset), self._span(start).to(self._span(end)))

    def _extent(self, entry: tl.IntegerConstant | None, what: str) -> Extent:
        return None if entry is None else self._natural(entry, what)


# -- parse tree to nodes: the collective instructions ------------------------------------------------------------------

Inputs = tuple[tl.TypedMemref, ...]
Update = tuple[tl.TypedScalar, Inputs, tl.TypedScalar, tl.TypedMemref]
UpdateOperands = tuple[tl.Operand, tl.Local, tl.Operand, tl.Local]
UpdateTypes = tuple[Placed[ScalarType], Placed[MemrefType], Placed[ScalarType], Placed[MemrefType]]

TypedProduct = tuple[tl.TypedScalar, Inputs, tl.TypedScalar, tl.TypedMemref]
ProductOperands = tuple[tl.Operand, tl.Local, tl.Local, tl.Operand, tl.Local]
ProductTypes = tuple[Placed[ScalarType], Placed[MemrefType], Placed[MemrefType], Placed[ScalarType], Placed[MemrefType]]


@v_args(inline=True)
class CollectiveReader(OperandReader):
    """Reads collective instructions: an update has the operands α, A, β, B; a product α, A, B, β, C."""

    def axpby(self, keyword: Token, transpose: tl.Transpose, atomic: bool, update: Update) -> tl.Axpby:
        return tl.Axpby((transpose,), atomic, *update, self._from(keyword, update[-1]))

    def gemm(
        self, keyword: Token, transpose_a: tl.Transpose, transpose_b: tl.Transpose, atomic: bool, product: TypedProduct
    ) -> tl.Gemm:
        return tl.Gemm((transpose_a, transpose_b), atomic, *product, self._from(keyword, product[-1]))

    def gemv(self, keyword: Token, transpose: tl.Transpose, atomic: bool, product: TypedProduct) -> tl.Gemv:
        return tl.Gemv((transpose,), atomic, *product, self._from(keyword, product[-1]))

    def ger(self, keyword: Token, atomic: bool, product: TypedProduct) -> tl.Ger:
        return tl.Ger((), atomic, *product, self._from(keyword, product[-1]))

    def hadamard_product(self, keyword: Token, atomic: bool, product: TypedProduct) -> tl.HadamardProduct:
        return tl.HadamardProduct((), atomic, *product, self._from(keyword, product[-1]))

    def sum(self, keyword: Token, transpose: tl.Transpose, atomic: bool, update: Update) -> tl.Sum:
        return tl.Sum((transpose,), atomic, *update, self._from(keyword, update[-1]))

    # -- their parts ---------------------------------------------------------------------------------------------------

    def flags(self, atomic: Token | None) -> bool:
        return atomic is not None

    def update(self, operands: UpdateOperands, types: UpdateTypes) -> Update:
        alpha, a, beta, b = operands
        alpha_type, a_type, beta_type, b_type = types
        return _scalar(alpha, alpha_type), (_memref(a, a_type),), _scalar(beta, beta_type), _memref(b, b_type)

    def update_operands(self, alpha: tl.Operand, a: tl.Local, beta: tl.Operand, b: tl.Local) -> UpdateOperands:
        return alpha, a, beta, b

    def update_types(
        self,
        alpha: Placed[ScalarType],
        a: Placed[MemrefType],
        beta: Placed[ScalarType],
        b: Placed[MemrefType],
    ) -> UpdateTypes:
        return alpha, a, beta, b

    def product(self, operands: ProductOperands, types: ProductTypes) -> TypedProduct:
        alpha, a, b, beta, c = operands
        alpha_type, a_type, b_type, beta_type, c_type = types
        return (
            _scalar(alpha, alpha_type),
            (_memref(a, a_type), _memref(b, b_type)),
            _scalar(beta, beta_type),
            _memref(c, c_type),
        )

    def product_operands(
        self, alpha: tl.Operand, a: tl.Local, b: tl.Local, beta: tl.Operand, c: tl.Local
    ) -> ProductOperands:
        return alpha, a, b, beta, c

    def product_types(
        self,
        alpha: Placed[ScalarType],
        a: Placed[MemrefType],
        b: Placed[MemrefType],
        beta: Placed[ScalarType],
        c: Placed[MemrefType],
    ) -> ProductTypes:
        return alpha, a, b, beta, c


def _scalar(operand: tl.Operand, type_: Placed[ScalarType]) -> tl.TypedScalar:
    return tl.TypedScalar(number_of(operand, type_.value), type_.value, type_.origin)


def _memref(operand: tl.Local, type_: Placed[MemrefType]) -> tl.TypedMemref:
    return tl.TypedMemref(operand, type_.value, type_.origin)


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
