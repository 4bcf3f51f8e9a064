"""The matrices of the next element are asked for while a product is computed, a few cache lines for every block.

int block = 0;
for … for … {
    __builtin_prefetch((const char *)(ulong)A_item + (32768 + 192 * block), 0, 2);
    …
    block += 1;
}

They are meant for the second-level cache, and pay from `SMALLEST` on: smaller matrices are found by the prefetcher of
the core, which stops at the end of a page. Measured with PoCL 3.0 on AVX2: for squares from 48 rows on, a batch in
memory is 1.4 to 1.8 times as fast, in a cache it takes 1 to 3% longer; `localFlux_2` of ADER-DG at order 6, three
products with 4 KB of each argument, takes 416 ns for 861 from memory, and 416 for 469 in a cache. Products with a
vector, which read long parts of each column once, are faster without: 5 to 15% in a cache.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from einsum_front.tl_backend.kernel.tree import (
    Assign,
    BinaryOperator,
    Declare,
    Expression,
    Integer,
    Name,
    Prefetch,
    Statement,
    Statements,
)
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.prefetch import LINE
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.work_group.frame import Frame

SMALLEST = 2400
"""Bytes of a matrix from which on it is asked for."""

LARGE = 8 * 1024
"""Bytes of a matrix from which on it is asked for at any rate."""

BURST = 16
"""Lines that may be asked for in a block for the sake of smaller ones.

More fill the queue of misses: 18 in each block made squares of 20 rows 16% slower from memory.
"""

WIDEST = 1.5
"""Bytes from its first entry to its last, over those of its entries, up to which it is: what is between is not needed.

A part of a tensor with more modes can be spread over all of it, and other parts of it come in other iterations.
"""


@dataclass(frozen=True, slots=True)
class Ahead:
    """What is done in front of the loops, and in every block."""

    declaration: Declare
    in_block: Statements


def make_ahead(views: Sequence[View], blocks: int, frame: Frame) -> Ahead | None:
    """Asks for the matrices of the next element in so many blocks; None if they are small or there is none."""
    streams = [(view.base, *sizes) for view in views if (sizes := _sizes(view)) is not None]
    if not frame.context.target.has_prefetch or not _pays([size for _, _, size in streams], blocks):
        return None
    block = Name(frame.context.names.fresh("block"))
    calls = (call for base, distance, size in streams for call in _calls(base, distance, size, blocks, block))
    count = Assign(block, index.ONE, BinaryOperator.ADD)
    return Ahead(Declare(Scalar.I32, block.text, index.ZERO), (*calls, count))


def _pays(sizes: Sequence[int], blocks: int) -> bool:
    """Whether matrices of so many bytes are worth asking for in so many blocks."""
    largest = max(sizes, default=0)
    return largest >= LARGE or (largest >= SMALLEST and sum(_lines(size, blocks) for size in sizes) <= BURST)


def _lines(size: int, blocks: int) -> int:
    """Cache lines for each of so many blocks."""
    return -(-size // (LINE * blocks))


def _sizes(view: View) -> tuple[int, int] | None:
    """Bytes from a matrix to that of the next element, and bytes of the matrix; None if not known, or not dense."""
    extents = [
        (size.value, stride.value)
        for size, stride in zip(view.shape, view.strides, strict=True)
        if isinstance(size, Integer) and isinstance(stride, Integer)
    ]
    if not isinstance(view.next_element, Integer) or len(extents) < len(view.shape):
        return None
    bytes_ = size_of(memory_type(view.element))
    span = 1 + sum((size - 1) * stride for size, stride in extents)
    if span > WIDEST * prod(size for size, _ in extents):
        return None
    return bytes_ * view.next_element.value, bytes_ * span


def _calls(base: Expression, distance: int, size: int, blocks: int, block: Name) -> Iterator[Statement]:
    """The lines of a block follow each other; what is asked for behind the last one does no harm."""
    count = _lines(size, blocks)
    for line in range(count):
        place = index.add(index.constant(distance + LINE * line), index.multiply(index.constant(LINE * count), block))
        yield Prefetch(base, place)
