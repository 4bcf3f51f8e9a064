"""`sum`: loops over row sums of matrices or over sums of vectors."""

from ir.emit_tensor_language.access import Access, Positions, collapse, extents_of
from ir.emit_tensor_language.elementwise import emit_axpby, fastest
from ir.emit_tensor_language.nest import accumulate, loops
from ir.emit_tensor_language.writer import Writer
from tl_backend.instructions import Operand, Sum, Transpose, TypedScalar


def emit_sum(writer: Writer, alpha: Operand, a: Access, beta: Operand, b: Access) -> None:
    """`B := alpha sum A + beta B` over the indices that B lacks; over none it is a copy.

    The fastest mode of B stays in the instruction together with the fastest summed mode of A. Loops over other summed
    modes stand inside, where β belongs to the first iteration.
    """
    if set(a.indices) == set(b.indices):
        emit_axpby(writer, alpha, a, beta, b)
        return
    b, a = collapse(writer, (b, a))
    extents = extents_of((b, a))
    summed = [index for index in a.indices if index not in b.indices]
    kept = {fastest(a, summed), *([fastest(b, b.indices)] if b.indices else [])}
    contracted = [index for index in summed if index not in kept]

    with loops(writer, [index for index in reversed(b.indices) if index not in kept], extents) as outside:
        target = b.at(outside)

        def share(inside: Positions, beta: Operand) -> None:
            _add_sum(writer, alpha, a.at({**outside, **inside}), beta, target)

        accumulate(writer, contracted, extents, beta, share)


def _add_sum(writer: Writer, alpha: Operand, a: Access, beta: Operand, b: Access) -> None:
    """`B := alpha sum A + beta B` for a matrix and a vector, or a vector and a single entry."""
    transpose = Transpose.T if b.indices and a.indices[0] != b.indices[0] else Transpose.N
    element = b.memref.type.element
    scalars = (TypedScalar(alpha, element), TypedScalar(beta, element))
    writer.add(Sum(transpose, False, scalars[0], a.view(writer).typed, scalars[1], b.view(writer).typed, writer.origin))
