"""`log`: loops over a matrix product, as `for` around gemm, gemv, ger, axpby or a dot product."""

from dataclasses import dataclass

from ir.emit_tensor_language.access import Access, Positions, extents_of, fuse
from ir.emit_tensor_language.elementwise import add_scaled
from ir.emit_tensor_language.entry import multiply_entries
from ir.emit_tensor_language.nest import accumulate, loops
from ir.emit_tensor_language.writer import Memref, Writer
from ir.yateto.nodes import Fused, LogMap, Looped, MapEntry
from tl_backend.instructions import (
    Alloca,
    FloatConstant,
    Gemm,
    Gemv,
    Ger,
    HadamardProduct,
    Operand,
    Sum,
    Transpose,
    TypedScalar,
)
from tl_backend.types import MemrefType, ScalarType


@dataclass(frozen=True, slots=True)
class Factors:
    """`C := alpha A B + beta C` inside the loops: at most one mode in each of I_m, I_n, I_k."""

    alpha: Operand
    a: Access
    b: Access
    beta: Operand
    c: Access

    @property
    def element(self) -> ScalarType:
        """The type of the entries of all three."""
        return self.c.memref.type.element

    @property
    def typed_alpha(self) -> TypedScalar:
        """α as an operand of a collective instruction."""
        return TypedScalar(self.alpha, self.element)

    @property
    def typed_beta(self) -> TypedScalar:
        """β as an operand of a collective instruction."""
        return TypedScalar(self.beta, self.element)


def emit_log(writer: Writer, map_: LogMap, factors: Factors) -> None:
    """Write the loops and the product of the groups and indices that are left.

    The loops over indices of the target stand outside, the slowest mode outermost; the contracted ones inside, where β
    belongs to the first iteration.
    """
    looped = _looped(map_)
    groups = _groups(map_)
    extents = extents_of((factors.c, factors.a, factors.b))
    outer = [index for index in reversed(factors.c.indices) if index in looped]
    contracted = [index for index in extents if index in looped and index not in factors.c.indices]

    with loops(writer, outer, extents) as outside:

        def share(inside: Positions, beta: Operand) -> None:
            positions = {**outside, **inside}
            a, b, c = (_inner(writer, access, positions, groups) for access in (factors.a, factors.b, factors.c))
            multiply(writer, Factors(factors.alpha, a, b, beta, c))

        accumulate(writer, contracted, extents, factors.beta, share)


def _looped(map_: LogMap) -> frozenset[str]:
    return frozenset(entry.name for entry in _all_entries(map_) if isinstance(entry, Looped))


def _groups(map_: LogMap) -> tuple[tuple[str, ...], ...]:
    groups = (entry.names for entry in _all_entries(map_) if isinstance(entry, Fused) and len(entry.names) > 1)
    return tuple(dict.fromkeys(groups))


def _all_entries(map_: LogMap) -> tuple[MapEntry, ...]:
    return map_.left + map_.right + map_.target


def _inner(writer: Writer, access: Access, positions: Positions, groups: tuple[tuple[str, ...], ...]) -> Access:
    access = access.at(positions)
    for group in groups:
        access = fuse(writer, access, group)
    return access


def multiply(writer: Writer, factors: Factors) -> None:
    """The product of operands of order 2, 1 or 0 as one instruction, or few."""
    a, b, c = factors.a, factors.b, factors.c
    match len(a.indices), len(b.indices), len(c.indices):
        case 2, 2, 2:
            _gemm(writer, factors)
        case 2, 1, 1:
            _gemv(writer, factors, a, b)
        case 1, 2, 1:
            _gemv(writer, factors, b, a)
        case 1, 1, 2:
            _ger(writer, factors)
        case 1, 1, 0:
            _dot(writer, factors)
        case (1, 0, 1) | (2, 0, 2):
            _scale(writer, factors, a, b)
        case (0, 1, 1) | (0, 2, 2):
            _scale(writer, factors, b, a)
        case _:
            multiply_entries(writer, factors.alpha, (a, b), factors.beta, c)


def _gemm(writer: Writer, factors: Factors) -> None:
    """A target that is stored transposed has its factors swapped: C^T = B^T A^T."""
    rows = factors.c.indices[0]
    left, right = (factors.a, factors.b) if rows in factors.a.indices else (factors.b, factors.a)
    contracted = next(index for index in left.indices if index != rows)
    writer.add(
        Gemm(
            _transposed_unless(left.indices[0] == rows),
            _transposed_unless(right.indices[0] == contracted),
            False,
            factors.typed_alpha,
            left.view(writer).typed,
            right.view(writer).typed,
            factors.typed_beta,
            factors.c.view(writer).typed,
            writer.origin,
        )
    )


def _gemv(writer: Writer, factors: Factors, matrix: Access, vector: Access) -> None:
    writer.add(
        Gemv(
            _transposed_unless(matrix.indices[0] == factors.c.indices[0]),
            False,
            factors.typed_alpha,
            matrix.view(writer).typed,
            vector.view(writer).typed,
            factors.typed_beta,
            factors.c.view(writer).typed,
            writer.origin,
        )
    )


def _ger(writer: Writer, factors: Factors) -> None:
    a, b = factors.a, factors.b
    rows, columns = (a, b) if a.indices[0] == factors.c.indices[0] else (b, a)
    writer.add(
        Ger(
            False,
            factors.typed_alpha,
            rows.view(writer).typed,
            columns.view(writer).typed,
            factors.typed_beta,
            factors.c.view(writer).typed,
            writer.origin,
        )
    )


def _dot(writer: Writer, factors: Factors) -> None:
    """The entry-wise product goes to a temporary, whose sum is the dot product."""
    a, b = factors.a.view(writer), factors.b.view(writer)
    one, zero = (TypedScalar(FloatConstant(value), factors.element) for value in (1.0, 0.0))
    products = Memref(writer.fresh("products"), MemrefType.packed(factors.element, a.type.shape))
    writer.add(Alloca(products.value, products.type, writer.origin))
    writer.add(HadamardProduct(False, one, a.typed, b.typed, zero, products.typed, writer.origin))
    c = factors.c.view(writer).typed
    writer.add(Sum(Transpose.N, False, factors.typed_alpha, products.typed, factors.typed_beta, c, writer.origin))


def _scale(writer: Writer, factors: Factors, tensor: Access, scalar: Access) -> None:
    alpha = writer.times(factors.alpha, scalar.entry(writer), factors.element)
    add_scaled(writer, alpha, tensor, factors.beta, factors.c)


def _transposed_unless(in_order: bool) -> Transpose:
    return Transpose.N if in_order else Transpose.T
