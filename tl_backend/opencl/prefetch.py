"""Asking for memory before it is needed: one cache line, for the second-level cache.

__builtin_prefetch((const char *)(ulong)Q_0 + (320 * r + 11520), 0, 2);
"""

from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.tree import (
    AddressSpace,
    Call,
    Cast,
    Evaluate,
    Expression,
    Pointer,
    Scalar,
    Statement,
)

LINE = 64
"""Bytes of a cache line."""

READ, SECOND_LEVEL = index.ZERO, index.constant(2)
"""What the compiler's function is told: to read, and how near the data should come."""


def prefetch(function: str, pointer: Expression, place: Expression) -> Statement:
    """Asks for the line so many bytes behind the pointer; `function` is the compiler's own, see `Target.prefetch`.

    It knows private pointers only.
    """
    address = Cast(Pointer(Scalar.CHAR, AddressSpace.PRIVATE, is_const=True), Cast(Scalar.ULONG, pointer))
    return Evaluate(Call(function, (index.add(address, place), READ, SECOND_LEVEL)))
