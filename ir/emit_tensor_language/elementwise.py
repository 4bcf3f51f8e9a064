"""`axpby`, `broadcast` and `fill`: loops over vectors, matrices or single entries."""

from collections.abc import Sequence

from einsum_front.ir.emit_tensor_language.access import Access, collapse, extents_of, loops, multiply_entries
from einsum_front.tl_backend import Builder, Number
from einsum_front.tl_backend import instructions as tl


def emit_axpby(builder: Builder, alpha: Number, a: Access, beta: Number, b: Access) -> None:
    """`B := alpha A + beta B` for A with the indices of B in any order.

    Two modes stay in the instruction: the fastest of B and the fastest of A, so that one of the operands is always
    walked along its memory; where that is one mode, the longest of the others joins it.
    """
    a, b = collapse(builder, (a, b))
    extents = extents_of((b, a))
    if not extents:
        multiply_entries(builder, alpha, (a,), beta, b)
        return
    kept = matrix_indices(a, b, b.indices)
    with loops(builder, [index for index in reversed(b.indices) if index not in kept], extents) as positions:
        add_scaled(builder, alpha, a.at(positions), beta, b.at(positions))


def matrix_indices(a: Access, b: Access, among: Sequence[str]) -> tuple[str, ...]:
    """The one or two common indices of A and B, out of `among`, that one instruction takes best."""
    first, second = fastest(b, among), fastest(a, among)
    rest = [index for index in among if index != first]
    if first == second and rest:
        second = max(rest, key=b.length)
    return tuple(dict.fromkeys((first, second)))


def fastest(access: Access, among: Sequence[str]) -> str:
    """The index of the fastest mode that has more than one entry, if there is one."""
    candidates = [index for index in access.indices if index in among]
    return next((index for index in candidates if access.extent(index) != 1), candidates[0])


def add_scaled(builder: Builder, alpha: Number, a: Access, beta: Number, b: Access) -> None:
    """`B := alpha A + beta B` for vectors or matrices with the same indices, in the same order or transposed."""
    op = tl.Transpose.N if a.indices == b.indices else tl.Transpose.T
    builder.axpby(alpha, a.view(builder), beta, b.view(builder), op)


def emit_broadcast(builder: Builder, alpha: Number, a: Access, beta: Number, b: Access) -> None:
    """`B := alpha A + beta B` where A may lack indices of B, and either may walk a diagonal."""
    a, b = collapse(builder, (a, b))
    extents = extents_of((b, a))
    diagonals = (*a.diagonals, *b.diagonals)
    straight = [index for index in extents if index not in diagonals]
    along = fastest(b, straight) if straight else next(iter(extents), None)
    if along not in straight or along not in a.indices:
        _entries_along(builder, alpha, a, beta, b, along)
        return
    kept = matrix_indices(a, b, [index for index in straight if index in a.indices])
    with loops(builder, [index for index in reversed(list(extents)) if index not in kept], extents) as positions:
        add_scaled(builder, alpha, a.at(positions), beta, b.at(positions))


def _entries_along(builder: Builder, alpha: Number, a: Access, beta: Number, b: Access, along: str | None) -> None:
    """Loops over all indices but `along`, whose entries the work-items share."""
    extents = extents_of((b, a))
    with loops(builder, [index for index in reversed(list(extents)) if index != along], extents) as positions:
        multiply_entries(builder, alpha, (a.at(positions),), beta, b.at(positions), along)


def emit_fill(builder: Builder, alpha: Number, beta: Number, b: Access) -> None:
    """`B := alpha + beta B`: the work-items share the fastest mode, loops go over the others."""
    (b,) = collapse(builder, (b,))
    along = fastest(b, b.indices) if b.indices else None
    with loops(builder, [index for index in reversed(b.indices) if index != along], extents_of((b,))) as positions:
        multiply_entries(builder, alpha, (), beta, b.at(positions), along)
