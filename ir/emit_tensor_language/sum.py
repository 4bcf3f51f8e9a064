"""`sum`: loops over row sums of matrices or over sums of vectors."""

from einsum_front.ir.emit_tensor_language.access import Access, Positions, collapse, extents_of
from einsum_front.ir.emit_tensor_language.elementwise import emit_axpby, fastest
from einsum_front.ir.emit_tensor_language.nest import accumulate, loops
from einsum_front.tl_backend.builder import Builder, Number
from einsum_front.tl_backend.instructions import Transpose


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
    op = Transpose.T if b.indices and a.indices[0] != b.indices[0] else Transpose.N
    builder.sum(alpha, a.view(builder), beta, b.view(builder), op)
