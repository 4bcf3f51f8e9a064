"""Parse tree to nodes: index lists and types, each with its place."""

from lark import Token, v_args

from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.tokens import TokenReader
from einsum_front.tl_backend.types import Extent, GroupType, MemrefType, ScalarType


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
