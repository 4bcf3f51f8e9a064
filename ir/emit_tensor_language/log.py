"""`log`: loops over a matrix product, as `for` around gemm, gemv, ger, axpby or a dot product."""

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import Polynomial
from einsum_front.ir.emit_tensor_language.access import (
    Access,
    Positions,
    accumulate,
    collapse,
    extents_of,
    fuse,
    loops,
    multiply_entries,
    times,
)
from einsum_front.ir.emit_tensor_language.elementwise import add_scaled, emit_axpby, fastest, matrix_indices
from einsum_front.ir.yateto import nodes as yir
from einsum_front.tl_backend import Builder, Number
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.types import MemrefType


@dataclass(frozen=True, slots=True)
class Factors:
    """`C := alpha A B + beta C`."""

    alpha: Number
    a: Access
    b: Access
    beta: Number
    c: Access


def emit_log(builder: Builder, map_: yir.LogMap, factors: Factors) -> None:
    """Write the loops and the product of the groups and indices that are left.

    The loops over indices of the target stand outside, the slowest mode outermost; the contracted ones inside, where β
    belongs to the first iteration.
    """
    looped = _looped(map_)
    groups = _groups(map_)
    extents = extents_of((factors.c, factors.a, factors.b))
    outer = [index for index in reversed(factors.c.indices) if index in looped]
    contracted = [index for index in extents if index in looped and index not in factors.c.indices]

    with loops(builder, outer, extents) as outside:

        def share(inside: Positions, beta: Number) -> None:
            positions = {**outside, **inside}
            a, b, c = (_inner(builder, access, positions, groups) for access in (factors.a, factors.b, factors.c))
            multiply(builder, Factors(factors.alpha, a, b, beta, c))

        accumulate(builder, contracted, extents, factors.beta, share)


def _looped(map_: yir.LogMap) -> frozenset[str]:
    return frozenset(entry.name for entry in _entries(map_) if isinstance(entry, yir.Looped))


def _groups(map_: yir.LogMap) -> tuple[tuple[str, ...], ...]:
    groups = (entry.names for entry in _entries(map_) if isinstance(entry, yir.Fused) and len(entry.names) > 1)
    return tuple(dict.fromkeys(groups))


def _entries(map_: yir.LogMap) -> tuple[yir.MapEntry, ...]:
    return map_.left + map_.right + map_.target


def _inner(builder: Builder, access: Access, positions: Positions, groups: tuple[tuple[str, ...], ...]) -> Access:
    access = access.at(positions)
    for group in groups:
        access = fuse(builder, access, group)
    return access


def multiply(builder: Builder, factors: Factors) -> None:
    """The product of operands of rank 2, 1 or 0 as one instruction, or few."""
    a, b, c = factors.a, factors.b, factors.c
    match len(a.indices), len(b.indices), len(c.indices):
        case 2, 2, 2:
            _gemm(builder, factors)
        case 2, 1, 1:
            _gemv(builder, factors, a, b)
        case 1, 2, 1:
            _gemv(builder, factors, b, a)
        case 1, 1, 2:
            _ger(builder, factors)
        case 1, 1, 0:
            _dot(builder, factors)
        case (1, 0, 1) | (2, 0, 2):
            _scale(builder, factors, a, b)
        case (0, 1, 1) | (0, 2, 2):
            _scale(builder, factors, b, a)
        case _:  # open: other ranks are no instruction
            multiply_entries(builder, factors.alpha, (a, b), factors.beta, c)


def _gemm(builder: Builder, factors: Factors) -> None:
    """A target that is stored transposed has its factors swapped: C^T = B^T A^T."""
    rows = factors.c.indices[0]
    left, right = (factors.a, factors.b) if rows in factors.a.indices else (factors.b, factors.a)
    contracted = next(index for index in left.indices if index != rows)
    ops = _op(left.indices[0] == rows), _op(right.indices[0] == contracted)
    views = left.view(builder), right.view(builder)
    builder.gemm(factors.alpha, *views, factors.beta, factors.c.view(builder), ops)


def _gemv(builder: Builder, factors: Factors, matrix: Access, vector: Access) -> None:
    op = _op(matrix.indices[0] == factors.c.indices[0])
    views = matrix.view(builder), vector.view(builder)
    builder.gemv(factors.alpha, *views, factors.beta, factors.c.view(builder), op)


def _op(is_in_order: bool) -> tl.Transpose:
    return tl.Transpose.N if is_in_order else tl.Transpose.T


def _ger(builder: Builder, factors: Factors) -> None:
    a, b = factors.a, factors.b
    rows, columns = (a, b) if a.indices[0] == factors.c.indices[0] else (b, a)
    views = rows.view(builder), columns.view(builder)
    builder.ger(factors.alpha, *views, factors.beta, factors.c.view(builder))


def _dot(builder: Builder, factors: Factors) -> None:
    """The entry-wise product goes to a temporary, whose sum is the dot product.

    There is no temporary of a dynamic extent: then one vector is the only column of a matrix.
    """
    extents = extents_of((factors.a,))
    (index,) = extents
    a, b = factors.a.view(builder), factors.b.view(builder)
    if isinstance(extents[index].extent, Polynomial):
        column = builder.expand(a, 0, (None, 1), name="column")
        dot = builder.alloca(MemrefType.packed(a.memref.element, (1,)), name="dot")
        builder.gemv(1.0, column, b, 0.0, dot, tl.Transpose.T)
        builder.sum(factors.alpha, dot, factors.beta, factors.c.view(builder))
        return
    products = builder.alloca(MemrefType.packed(a.memref.element, a.memref.shape), name="products")
    builder.walk(products, (index,))
    builder.hadamard_product(1.0, a, b, 0.0, products)
    builder.sum(factors.alpha, products, factors.beta, factors.c.view(builder))


def _scale(builder: Builder, factors: Factors, tensor: Access, scalar: Access) -> None:
    alpha = times(builder, factors.alpha, scalar.entry(builder))
    add_scaled(builder, alpha, tensor, factors.beta, factors.c)


# -- `product` and `sum` -----------------------------------------------------------------------------------------------
# Loops over entry-wise products, outer products, row sums of matrices, or scaled vectors.


def emit_product(builder: Builder, factors: Factors) -> None:
    """`C := alpha A B + beta C` where C has all indices of A and B.

    The fastest mode of C stays in the instruction. It belongs to both factors (entry-wise product), or to one: then an
    index of the other alone makes an outer product, and without one the other factor is a number in each iteration.
    """
    c, a, b = collapse(builder, (factors.c, factors.a, factors.b))
    kept = _kept(a, b, c) if c.indices else ()
    with loops(builder, [index for index in reversed(c.indices) if index not in kept], extents_of((c,))) as positions:
        a, b, c = (access.at(positions) for access in (a, b, c))
        _multiply(builder, Factors(factors.alpha, a, b, factors.beta, c))


def _kept(a: Access, b: Access, c: Access) -> tuple[str, ...]:
    along = fastest(c, c.indices)
    if along in a.indices and along in b.indices:
        return (along,)
    vector, other = (a, b) if along in a.indices else (b, a)
    across = [index for index in other.indices if index not in vector.indices and other.extent(index) != 1]
    if across:
        return (along, max(across, key=other.length))
    return matrix_indices(vector, c, [index for index in vector.indices if index not in other.indices])


def _multiply(builder: Builder, factors: Factors) -> None:
    a, b, c = factors.a, factors.b, factors.c
    if len(c.indices) == 1 and a.indices == b.indices:
        builder.hadamard_product(factors.alpha, a.view(builder), b.view(builder), factors.beta, c.view(builder))
    else:
        multiply(builder, factors)


def emit_sum(builder: Builder, alpha: Number, a: Access, beta: Number, b: Access) -> None:
    """`B := alpha sum A + beta B` over the indices that B lacks; over none it is a copy.

    The fastest mode of B stays in the instruction together with the fastest summed mode of A. Loops over other summed
    modes stand inside, where β belongs to the first iteration.
    """
    if set(a.indices) == set(b.indices):
        emit_axpby(builder, alpha, a, beta, b)
        return
    b, a = collapse(builder, (b, a))
    extents = extents_of((b, a))
    summed = [index for index in a.indices if index not in b.indices]
    kept = {fastest(a, summed), *([fastest(b, b.indices)] if b.indices else [])}
    contracted = [index for index in summed if index not in kept]

    with loops(builder, [index for index in reversed(b.indices) if index not in kept], extents) as outside:

        def share(inside: Positions, beta: Number) -> None:
            _add_sum(builder, alpha, a.at({**outside, **inside}), beta, b.at(outside))

        accumulate(builder, contracted, extents, beta, share)


def _add_sum(builder: Builder, alpha: Number, a: Access, beta: Number, b: Access) -> None:
    """`B := alpha sum A + beta B` for a matrix and a vector, or a vector and a single entry."""
    op = tl.Transpose.T if b.indices and a.indices[0] != b.indices[0] else tl.Transpose.N
    builder.sum(alpha, a.view(builder), beta, b.view(builder), op)
