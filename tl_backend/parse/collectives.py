"""Parse tree to nodes: the collective instructions."""

from lark import Token, v_args

from einsum_front.core.parsing import Placed
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.parse.operands import OperandReader
from einsum_front.tl_backend.parse.tokens import number_of
from einsum_front.tl_backend.types import MemrefType, ScalarType

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
