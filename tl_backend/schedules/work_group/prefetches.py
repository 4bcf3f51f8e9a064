"""The matrices of the next element are asked for while a product is computed, a few cache lines for every block.

int block = 0;
for … for … {
    __builtin_prefetch((const char *)(ulong)A_item + (32768 + 192 * block), 0, 2);
    …
    block += 1;
}

They are meant for the second-level cache, and pay from some size on (`core.machine.GroupPrefetch`): smaller matrices
are found by the prefetcher of the core, which stops at the end of a page. Measured with PoCL 3.0 on Zen 4: for squares
from 48 rows on, a batch in memory is 1.4 to 1.8 times as fast, in a cache it takes 1 to 3% longer; `localFlux_2` of
ADER-DG at order 6, three products with 4 KB of each argument, takes 416 ns for 861 from memory, and 416 for 469 in a
cache. Products with a vector, which read long parts of each column once, are faster without: 5 to 15% in a cache.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import prod

from einsum_front.core.machine import Machine
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.work_group.frame import Frame

WIDEST = 1.5
"""Bytes from its first entry to its last, over those of its entries, up to which it is: what is between is not needed.

A part of a tensor with more modes can be spread over all of it, and other parts of it come in other iterations.
"""


@dataclass(frozen=True, slots=True)
class Prefetches:
    """Prefetches in front of the loops, and in every block."""

    declaration: tree.Declare
    in_block: tree.Statements


def make_prefetches(views: Sequence[View], blocks: int, frame: Frame) -> Prefetches | None:
    """Asks for the matrices of the next element in so many blocks; None if they are small or there is none."""
    streams = [(view.base, *sizes) for view in views if (sizes := _sizes(view)) is not None]
    target = frame.context.target
    if not target.has_prefetch or not _pays([size for _, _, size in streams], blocks, target.machine):
        return None
    block = tree.Name(frame.context.names.fresh("block"))
    calls = (call for stream in streams for call in _calls(*stream, blocks, block, target.machine))
    count = tree.Assign(block, index.ONE, tree.BinaryOperator.ADD)
    return Prefetches(tree.Declare(Scalar.I32, block.text, index.ZERO), (*calls, count))


def _pays(sizes: Sequence[int], blocks: int, machine: Machine) -> bool:
    """True if matrices of so many bytes are worth asking for in so many blocks."""
    largest, limits = max(sizes, default=0), machine.work_group.prefetch
    if largest < limits.smallest:
        return False
    return largest >= limits.large or sum(_lines(size, blocks, machine) for size in sizes) <= limits.burst


def _lines(size: int, blocks: int, machine: Machine) -> int:
    """Cache lines for each of so many blocks."""
    return -(-size // (machine.memory.lines.unit * blocks))


def _sizes(view: View) -> tuple[int, int] | None:
    """Bytes from a matrix to that of the next element, and bytes of the matrix; None if not known, or not dense."""
    extents = [
        (size.value, stride.value)
        for size, stride in zip(view.shape, view.strides, strict=True)
        if isinstance(size, tree.Integer) and isinstance(stride, tree.Integer)
    ]
    if not isinstance(view.next_element, tree.Integer) or len(extents) < len(view.shape):
        return None
    bytes_ = size_of(memory_type(view.element))
    span = 1 + sum((size - 1) * stride for size, stride in extents)
    if span > WIDEST * prod(size for size, _ in extents):
        return None
    return bytes_ * view.next_element.value, bytes_ * span


def _calls(
    base: tree.Expression, distance: int, size: int, blocks: int, block: tree.Name, machine: Machine
) -> Iterator[tree.Statement]:
    """The lines of a block follow each other; what is asked for behind the last one does no harm."""
    count, unit = _lines(size, blocks, machine), machine.memory.lines.unit
    for line in range(count):
        place = index.add(index.constant(distance + unit * line), index.multiply(index.constant(unit * count), block))
        yield tree.Prefetch(base, place)
