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

A product with few blocks and few depths has no block to spread its lines over: they are asked for at each depth. So are
those of 35 x 9 matrices times 9 x 3 ones: the friction law takes 228 ns for 347 from memory, and spectral elements of 8
and 10 nodes 0.8 of the time (Zen 5). With more depths, squares of 20 rows take 1.08.
"""

from collections.abc import Iterator, Sequence
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Machine
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.scalar import memory_type
from einsum_front.tl_backend.opencl.view import View
from einsum_front.tl_backend.schedules.work_group.tile import Frame
from einsum_front.tl_backend.semantics import Axis

WIDEST = 1.5
"""Bytes from its first entry to its last, over those of its entries, up to which it is: what is between is not needed.

A part of a tensor with more modes can be spread over all of it, and other parts of it come in other iterations.
"""


@dataclass(frozen=True, slots=True)
class Prefetches:
    """What stands in front of the loops over blocks, in every block, and at every depth of its loop."""

    declaration: tree.Declare
    in_block: tree.Statements
    at_depth: tree.Statements = ()


def make_prefetches(views: Sequence[View], blocks: int, depth: int | None, frame: Frame) -> Prefetches | None:
    """Asks for the matrices of the next element in so many blocks; None if they are small or there is none.

    Where a block would have more than a burst, they are asked for at each depth of its loop, if it has a known one.
    """
    streams = [(view.base, *found) for view in views if (found := _sizes(view)) is not None]
    sizes, target = [size for _, _, size in streams], frame.context.target
    if not target.has_prefetch or max(sizes, default=0) < target.machine.work_group.prefetch.smallest:
        return None
    is_in_blocks = _pays(sizes, blocks, target.machine)
    if not is_in_blocks and (depth is None or not _pays_at_depth(sizes, blocks, depth, target.machine)):
        return None
    block = tree.Name(frame.context.names.fresh("block"))
    count = tree.Assign(block, index.ONE, tree.BinaryOperator.ADD)
    if is_in_blocks or depth is None:
        calls = (call for stream in streams for call in _calls(*stream, blocks, block, target.machine))
        return Prefetches(tree.Declare(Scalar.I32, block.text, index.ZERO), (*calls, count))
    place = index.add(index.multiply(index.constant(depth), block), frame.variable(Axis.K))
    calls = (call for stream in streams for call in _calls(*stream, blocks * depth, place, target.machine))
    return Prefetches(tree.Declare(Scalar.I32, block.text, index.constant(-1)), (count,), tuple(calls))


def _pays(sizes: Sequence[int], blocks: int, machine: Machine) -> bool:
    """True if matrices of so many bytes are worth asking for in so many blocks."""
    limits = machine.work_group.prefetch
    return max(sizes) >= limits.large or sum(_cache_lines(size, blocks, machine) for size in sizes) <= limits.burst


def _pays_at_depth(sizes: Sequence[int], blocks: int, depth: int, machine: Machine) -> bool:
    """The same for each depth of all blocks."""
    limits, lines = machine.work_group.prefetch, (_cache_lines(size, blocks * depth, machine) for size in sizes)
    return depth <= limits.shallow and sum(lines) <= limits.at_depth


def _cache_lines(size: int, blocks: int, machine: Machine) -> int:
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
    base: tree.Expression, distance: int, size: int, blocks: int, block: tree.Expression, machine: Machine
) -> Iterator[tree.Statement]:
    """The lines of a block follow each other; what is asked for behind the last one does no harm."""
    count, unit = _cache_lines(size, blocks, machine), machine.memory.lines.unit
    for line in range(count):
        place = index.add(index.constant(distance + unit * line), index.multiply(index.constant(unit * count), block))
        yield tree.Prefetch(base, place)
