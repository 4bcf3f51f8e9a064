"""`product`: loops over entry-wise products, outer products or scaled vectors and matrices."""

from einsum_front.ir.emit_tensor_language.access import Access, collapse, extents_of
from einsum_front.ir.emit_tensor_language.elementwise import fastest, matrix_indices
from einsum_front.ir.emit_tensor_language.log import Factors, multiply
from einsum_front.ir.emit_tensor_language.nest import loops
from einsum_front.tl_backend.builder import Builder


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
    across = [index for index in other.indices if index not in vector.indices and other.extent(index) > 1]
    if across:
        return (along, max(across, key=other.extent))
    return matrix_indices(vector, c, [index for index in vector.indices if index not in other.indices])


def _multiply(builder: Builder, factors: Factors) -> None:
    a, b, c = factors.a, factors.b, factors.c
    if len(c.indices) == 1 and a.indices == b.indices:
        builder.hadamard_product(factors.alpha, a.view(builder), b.view(builder), factors.beta, c.view(builder))
    else:
        multiply(builder, factors)
