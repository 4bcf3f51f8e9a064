"""Parse tree to nodes: the collective instructions."""

from lark import Token, v_args

from einsum_front.core.parsing import Placed
from einsum_front.tl_backend.instructions import (
    Axpby,
    Gemm,
    Gemv,
    Ger,
    HadamardProduct,
    Local,
    Operand,
    Sum,
    Transpose,
    TypedMemref,
    TypedScalar,
)
from einsum_front.tl_backend.parse.operands import OperandReader
from einsum_front.tl_backend.parse.tokens import number_of
from einsum_front.tl_backend.types import MemrefType, ScalarType

Inputs = tuple[TypedMemref, ...]
Update = tuple[TypedScalar, Inputs, TypedScalar, TypedMemref]
UpdateOperands = tuple[Operand, Local, Operand, Local]
UpdateTypes = tuple[Placed[ScalarType], Placed[MemrefType], Placed[ScalarType], Placed[MemrefType]]

TypedProduct = tuple[TypedScalar, Inputs, TypedScalar, TypedMemref]
ProductOperands = tuple[Operand, Local, Local, Operand, Local]
ProductTypes = tuple[Placed[ScalarType], Placed[MemrefType], Placed[MemrefType], Placed[ScalarType], Placed[MemrefType]]


@v_args(inline=True)
class CollectiveReader(OperandReader):
    """Reads collective instructions: an update has the operands α, A, β, B; a product α, A, B, β, C."""

    def axpby(self, keyword: Token, transpose: Transpose, atomic: bool, update: Update) -> Axpby:
        return Axpby((transpose,), atomic, *update, self._from(keyword, update[-1]))

    def gemm(
        self, keyword: Token, transpose_a: Transpose, transpose_b: Transpose, atomic: bool, product: TypedProduct
    ) -> Gemm:
        return Gemm((transpose_a, transpose_b), atomic, *product, self._from(keyword, product[-1]))

    def gemv(self, keyword: Token, transpose: Transpose, atomic: bool, product: TypedProduct) -> Gemv:
        return Gemv((transpose,), atomic, *product, self._from(keyword, product[-1]))

    def ger(self, keyword: Token, atomic: bool, product: TypedProduct) -> Ger:
        return Ger((), atomic, *product, self._from(keyword, product[-1]))

    def hadamard_product(self, keyword: Token, atomic: bool, product: TypedProduct) -> HadamardProduct:
        return HadamardProduct((), atomic, *product, self._from(keyword, product[-1]))

    def sum(self, keyword: Token, transpose: Transpose, atomic: bool, update: Update) -> Sum:
        return Sum((transpose,), atomic, *update, self._from(keyword, update[-1]))

    # -- their parts ---------------------------------------------------------------------------------------------------

    def flags(self, atomic: Token | None) -> bool:
        return atomic is not None

    def update(self, operands: UpdateOperands, types: UpdateTypes) -> Update:
        alpha, a, beta, b = operands
        alpha_type, a_type, beta_type, b_type = types
        return _scalar(alpha, alpha_type), (_memref(a, a_type),), _scalar(beta, beta_type), _memref(b, b_type)

    def update_operands(self, alpha: Operand, a: Local, beta: Operand, b: Local) -> UpdateOperands:
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

    def product_operands(self, alpha: Operand, a: Local, b: Local, beta: Operand, c: Local) -> ProductOperands:
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


def _scalar(operand: Operand, type_: Placed[ScalarType]) -> TypedScalar:
    return TypedScalar(number_of(operand, type_.value), type_.value, type_.origin)


def _memref(operand: Local, type_: Placed[MemrefType]) -> TypedMemref:
    return TypedMemref(operand, type_.value, type_.origin)
