"""`product` and `sum`: loops over entry-wise products, outer products, row sums of matrices, or scaled vectors."""

from einsum_front.ir.emit_tensor_language.access import Access, Positions, collapse, extents_of
from einsum_front.ir.emit_tensor_language.elementwise import emit_axpby, fastest, matrix_indices
from einsum_front.ir.emit_tensor_language.log import Factors, multiply
from einsum_front.ir.emit_tensor_language.nest import accumulate, loops
from einsum_front.tl_backend import Builder, Number
from einsum_front.tl_backend import instructions as tl


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
