"""Loops of one collective instruction, and the block of the result that one work-item computes.

One block of the result with plain loops over its entries: sums in registers, then the update of each entry.

double sum[24];                                            one variable if the tile is one entry
for jj, ii: sum[ii + 8 * jj] = 0.0;                        unrolled
for k: for jj, ii: sum[ii + 8 * jj] += A[...] * B[...];    inner loops unrolled
for jj, ii: C[...] = sum[ii + 8 * jj];                     unrolled
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.machine import Machine
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import AddressSpace, Scalar, size_of
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.opencl.parameters import View, is_small
from einsum_front.tl_backend.opencl.scalar import convert, memory_type, number
from einsum_front.tl_backend.schedules.lowering.product import LETTERS, Bounds, ViewFactor, ViewProduct, update
from einsum_front.tl_backend.schedules.work_group.context import GroupContext
from einsum_front.tl_backend.semantics import Axis

ROW_IN_TILE, COLUMN_IN_TILE, SUM, LAST = "ii", "jj", "sum", "last"
IN_TILE: Mapping[str, Axis] = {ROW_IN_TILE: Axis.M, COLUMN_IN_TILE: Axis.N}


@dataclass(frozen=True, slots=True)
class Frame:
    """A collective instruction, the type of its counters, and the C name of each variable of its loops."""

    product: ViewProduct
    context: GroupContext
    counter: Scalar
    variables: Mapping[Axis | str, str]

    def loop(
        self,
        word: Axis | str,
        bounds: Bounds,
        body: tree.Statements,
        unroll: tree.Unroll = tree.Unroll.AS_THE_COMPILER_LIKES,
    ) -> tree.For:
        """A loop of this variable, which says its index of the notation."""
        axis = word if isinstance(word, Axis) else IN_TILE[word]
        return self.product.loop(axis, self.counter, self.variables[word], bounds, body, unroll)

    def variable(self, word: Axis | str) -> tree.Name:
        """The variable as an expression."""
        return tree.Name(self.variables[word])


def make_frame(product: ViewProduct, context: GroupContext) -> Frame:
    """Counters are `int` where all offsets are known to fit; loops are called as the indices of the notation."""
    context = context.inner()
    letters = {axis: product.letter(axis) for axis in LETTERS}
    inside = {word: letters[axis] * 2 for word, axis in IN_TILE.items()}
    words: tuple[tuple[Axis | str, str], ...] = (*letters.items(), *inside.items(), (SUM, SUM), (LAST, LAST))
    counter = Scalar.I32 if all(map(is_small, product.views)) else Scalar.I64
    return Frame(product, context, counter, {what: context.names.fresh(word) for what, word in words})


@dataclass(frozen=True, slots=True)
class Tile:
    """The block of `rows` times `columns` entries of the result whose first is (`row`, `column`).

    Its rows are `distance` apart. It may reach beyond the rows or columns that `within` says; None for those that it
    does not reach beyond.
    """

    row: tree.Expression
    column: tree.Expression
    rows: int
    columns: int
    distance: int = 1
    within: tuple[int | None, int | None] | None = None

    @property
    def count(self) -> int:
        """Number of entries."""
        return self.rows * self.columns


# -- tile --------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Entry:
    """An entry of the result, and where its sum is kept; `within` as in the tile."""

    row: tree.Expression
    column: tree.Expression
    sum: tree.Place
    within: tuple[int | None, int | None] | None


def lower_tile(tile: Tile, frame: Frame) -> tree.Statements:
    """The statements that compute the tile and update the result."""
    if not frame.product.is_sum:
        return _each(tile, frame, lambda entry: _update(entry, _term(entry, frame), frame))
    loop = depth_loop(tile, frame, frame.product.extent(Axis.K))
    return *declare_sums(tile, frame), loop, *update_entries(tile, frame)


def declare_sums(tile: Tile, frame: Frame) -> tree.Statements:
    """The sums of all entries of the tile, 0 at first."""
    name, type_ = frame.variables[SUM], frame.product.type
    zero = number(0, type_)
    if tile.count == 1:
        return (tree.Declare(type_, name, zero),)
    array = tree.DeclareArray(type_, name, tile.count, AddressSpace.PRIVATE)
    return array, *_each(tile, frame, lambda entry: tree.Assign(entry.sum, zero))


def depth_loop(tile: Tile, frame: Frame, depth: tree.Expression) -> tree.Statement:
    """Adds the products of so many depths to the sums."""
    step = _each(tile, frame, lambda entry: tree.Assign(entry.sum, _term(entry, frame), tree.BinaryOperator.ADD))
    return frame.loop(Axis.K, (index.ZERO, depth, index.ONE), step)


def update_entries(tile: Tile, frame: Frame) -> tree.Statements:
    """Updates the result by the sums."""
    return _each(tile, frame, lambda entry: _update(entry, entry.sum, frame))


def _each(tile: Tile, frame: Frame, body: Callable[[Entry], tree.Statement]) -> tree.Statements:
    """The statement for every entry of the tile, in unrolled loops that run down the columns."""
    ii = index.ZERO if tile.rows == 1 else frame.variable(ROW_IN_TILE)
    jj = index.ZERO if tile.columns == 1 else frame.variable(COLUMN_IN_TILE)
    kept = frame.variable(SUM)
    position = index.add(ii, index.multiply(index.constant(tile.rows), jj))
    sum_ = kept if tile.count == 1 else tree.Subscript(kept, position)
    row = index.add(tile.row, index.multiply(ii, index.constant(tile.distance)))
    statement = body(Entry(row, index.add(tile.column, jj), sum_, tile.within))
    for word, size in ((ROW_IN_TILE, tile.rows), (COLUMN_IN_TILE, tile.columns)):
        if size > 1:
            bounds = index.ZERO, index.constant(size), index.ONE
            statement = frame.loop(word, bounds, (statement,), tree.Unroll.FULLY)
    return (statement,)


def _term(entry: Entry, frame: Frame) -> tree.Expression:
    """The product of the factors at the entry, in the type that is computed in."""
    first, *others = (_factor(factor, entry, frame) for factor in frame.product.factors)
    term = first
    for other in others:
        term = tree.Binary(tree.BinaryOperator.MULTIPLY, term, other)
    return term


def _factor(factor: ViewFactor, entry: Entry, frame: Frame) -> tree.Expression:
    value = _at(factor, _nearest(entry), frame)
    return convert(value, memory_type(factor.view.element), frame.product.type)


def _nearest(entry: Entry) -> Entry:
    """The entry itself, or the last one of its row and column if it is beyond the result."""
    if entry.within is None:
        return entry
    row, column = (
        place if extent is None else index.minimum(place, index.constant(extent - 1))
        for place, extent in zip((entry.row, entry.column), entry.within, strict=True)
    )
    return replace(entry, row=row, column=column)


def _at(factor: ViewFactor, entry: Entry, frame: Frame) -> tree.Place:
    places = {Axis.M: entry.row, Axis.N: entry.column, Axis.K: frame.variable(Axis.K)}
    return factor.view.entry(tuple(places[loop] for loop in factor.axes))


def _update(entry: Entry, value: tree.Expression, frame: Frame) -> tree.Statement:
    changed = update(frame.product, _at(frame.product.target, entry, frame), value, frame.context)
    if entry.within is None:
        return changed
    for place, extent in zip((entry.row, entry.column), entry.within, strict=True):
        if extent is not None:
            changed = tree.If(tree.Binary(tree.BinaryOperator.LESS, place, index.constant(extent)), (changed,))
    return changed


# -- the matrices of the next element are asked for while a product is computed, a few cache lines for every block -----
# int block = 0;
# for … for … {
#     __builtin_prefetch((const char *)(ulong)A_item + (32768 + 192 * block), 0, 2);
#     …
#     block += 1;
# }
#
# They are meant for the second-level cache, and pay from some size on (`core.machine.GroupPrefetch`): smaller
# matrices are found by the prefetcher of the core, which stops at the end of a page. Measured with PoCL 3.0 on Zen 4:
# for squares from 48 rows on, a batch in memory is 1.4 to 1.8 times as fast, in a cache it takes 1 to 3% longer;
# `localFlux_2` of ADER-DG at order 6, three products with 4 KB of each argument, takes 416 ns for 861 from memory,
# and 416 for 469 in a cache. Products with a vector, which read long parts of each column once, are faster without: 5
# to 15% in a cache.
#
# A product with few blocks and few depths has no block to spread its lines over: they are asked for at each depth. So
# are those of 35 x 9 matrices times 9 x 3 ones: the friction law takes 228 ns for 347 from memory, and spectral
# elements of 8 and 10 nodes 0.8 of the time (Zen 5). With more depths, squares of 20 rows take 1.08.

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
