"""Sums of many terms, written as sums of partial sums, which are sums of partial sums again."""

from collections.abc import Callable, Sequence
from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.tl_backend import instructions as tl
from einsum_front.tl_backend.builder import Builder, Index, Number, Part, Value
from einsum_front.tl_backend.types import MemrefType, ScalarType

LONGEST = 512
"""Most terms that are added one after the other: more than the products of ADER-DG and spectral elements have."""

PART = 128
"""Terms of a part of a longer sum, where each entry of the result has one sum and not `LANES`."""

MOST_PARTS = 16
"""Most partial sums that are added one after the other. With 32 the error of a sum of normal numbers is 1.3 times that
of sums in pairs."""

OPEN_LEVELS = 2
"""Levels of partial sums of terms whose number only the launch knows."""

LANES = 32
"""Sums of a vector side by side: four vectors of eight lanes, which hide the latency of an addition, and as many sums
as leave each of them 16 of `LONGEST` terms."""

Add = Callable[[Builder, Index, int, Value], None]
"""Writes the instructions that add so many terms, from a position on, to a memref."""


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a sum: how to add some of them, and how many at a time, in ascending order and each a multiple of the
    one before; the largest is for sums of known length, the others for what is left of open ones."""

    add: Add
    counts: tuple[int, ...]


def zeros(builder: Builder, like: MemrefType) -> Value:
    """A temporary of this shape, which is known, in the packed layout, full of zeros; of rank 0: a vector of one."""
    shape = tuple(size for size in like.shape if size is not None) or (1,)
    flat = builder.alloca(MemrefType.packed(like.element, (prod(shape),)), name="partial")
    zero = builder.fresh("zero")
    builder.add(tl.Cast(zero, tl.FloatConstant(0.0), like.element, like.element, builder.origin))
    with builder.foreach_loop(0, prod(shape)) as position:
        builder.store(Value(zero, like.element), flat, position)
    return flat if len(shape) == 1 else builder.expand(flat, 0, shape, name="partial")


def entries(partial: Value, order: int, builder: Builder) -> Value:
    """The temporary of `zeros` as a target of this order."""
    return partial if order else builder.subview(partial, 0, name="partial")


def add_partial(builder: Builder, alpha: Number, partial: Value, beta: Number, target: Value, *, atomic: bool) -> None:
    """`target := alpha partial + beta target` for a temporary of `zeros`."""
    if target.memref.order:
        builder.axpby(alpha, partial, beta, target, atomic=atomic)
    else:
        builder.sum(alpha, partial, beta, target, atomic=atomic)


def accumulate(builder: Builder, start: Index, count: int, target: Value, terms: Terms) -> None:
    """Adds the terms from `start` on to the target by at most `MOST_PARTS` additions, and one of what is left."""
    span = terms.counts[-1]
    while -(-count // span) > MOST_PARTS:
        span *= MOST_PARTS
    rest = count % span
    _repeat(builder, start, count - rest, span, lambda at: _add_span(builder, at, span, target, terms))
    if rest:
        _add_span(builder, _plus(builder, start, count - rest), rest, target, terms)


def _add_span(builder: Builder, start: Index, count: int, target: Value, terms: Terms) -> None:
    """So many terms by one addition."""
    if count <= terms.counts[-1]:
        terms.add(builder, start, count, target)
        return
    partial = zeros(builder, target.memref)
    accumulate(builder, start, count, entries(partial, target.memref.order, builder), terms)
    add_partial(builder, 1.0, partial, 1.0, target, atomic=False)


def accumulate_open(builder: Builder, start: Index, stop: Value, target: Value, terms: Terms) -> None:
    """Adds terms whose number only the launch knows: as many as possible by partial sums of `OPEN_LEVELS` levels.

    What is left comes first, in smaller and smaller parts, so that it is added while the target is small.
    """
    spans = (*terms.counts, *(terms.counts[-1] * MOST_PARTS**level for level in range(1, OPEN_LEVELS + 1)))
    length = _minus(builder, stop, start)
    ends: list[Index] = [stop]
    for span in spans[1:]:
        left = builder.arith(tl.BinaryOperator.REM, length, span, name="left")
        ends.append(builder.arith(tl.BinaryOperator.SUB, stop, left, name="end"))
    for span, end, first in zip(spans, ends, (*ends[1:], start), strict=True):
        with builder.for_loop(first, end, span, name="k") as position:
            _add_span(builder, position, span, target, terms)


def _repeat(builder: Builder, start: Index, count: int, span: int, body: Callable[[Index], None]) -> None:
    """The body for every span, in a loop with constant bounds, whose barriers need no condition."""
    if count == span:
        body(start)
    elif count:
        with builder.for_loop(0, count, span, name="k") as offset:
            body(_plus(builder, start, offset))


def _plus(builder: Builder, start: Index, offset: Index) -> Index:
    if isinstance(start, int) and isinstance(offset, int):
        return start + offset
    if start == 0 or offset == 0:
        return offset if start == 0 else start
    return builder.arith(tl.BinaryOperator.ADD, start, offset, name="k")


def _minus(builder: Builder, stop: Value, start: Index) -> Value:
    return stop if start == 0 else builder.arith(tl.BinaryOperator.SUB, stop, start, name="count")


# -- vectors -----------------------------------------------------------------------------------------------------------


def lane_terms(vectors: Sequence[Value], *, is_alone: bool) -> Terms:
    """The entries of a vector, or the products of those of two, added to `LANES` sums side by side.

    A work-item that is alone adds the products of row after row to sums in registers. Several of them would meet behind
    each row: they make the products first, and add all rows by one instruction. So does the sum of a vector, whose rows
    need no products (0.8 of the time of a loop over the rows, f64 and f32 on AMD Zen 4).
    """

    def add(builder: Builder, start: Index, count: int, sums: Value) -> None:
        rows, rest = divmod(count, LANES)
        if rows and is_alone and len(vectors) > 1:
            partial = zeros(builder, sums.memref)
            with builder.for_loop(0, rows * LANES, LANES, name="row") as row:
                at = _plus(builder, start, row)
                _multiply(builder, [_part(builder, each, at, LANES) for each in vectors], 1.0, partial)
            builder.axpby(1.0, partial, 1.0, sums)
        elif rows:
            part = _entries(builder, vectors, start, rows * LANES)
            builder.sum(1.0, builder.expand(part, 0, (LANES, rows), name="rows"), 1.0, sums)
        if rest:
            after = [_part(builder, each, _plus(builder, start, rows * LANES), rest) for each in vectors]
            first = sums if rest == LANES else builder.subview(sums, (0, rest), name="sums")
            _multiply(builder, after, 1.0, first)

    return Terms(add, (1, LANES, LONGEST))


def _entries(builder: Builder, vectors: Sequence[Value], start: Index, count: int) -> Value:
    """A part of the vector, or of the products in a temporary."""
    parts = [_part(builder, each, start, count) for each in vectors]
    if len(parts) == 1:
        return parts[0]
    products = builder.alloca(MemrefType.packed(parts[0].memref.element, (count,)), name="products")
    _multiply(builder, parts, 0.0, products)
    return products


def _multiply(builder: Builder, vectors: Sequence[Value], beta: float, target: Value) -> None:
    """`target := the vector, or the entry-wise product of two, + beta target`."""
    match vectors:
        case [left, right]:
            builder.hadamard_product(1.0, left, right, beta, target)
        case _:  # open: one vector, as no product has three
            builder.axpby(1.0, vectors[0], beta, target)


def _part(builder: Builder, vector: Value, start: Index, count: int) -> Value:
    part: Part = (start, count)
    return builder.subview(vector, part, name=f"{vector.local.name}_part")


def total(builder: Builder, sums: Value) -> Value:
    """The sums of `LANES` as a vector of two, which are added in fours."""
    while (length := sums.memref.shape[0]) is not None and length > 2:
        fewer = builder.alloca(MemrefType.packed(sums.memref.element, (length // 4,)), name="sums")
        builder.sum(1.0, builder.expand(sums, 0, (length // 4, 4), name="rows"), 0.0, fewer)
        sums = fewer
    return sums


def lanes(builder: Builder, element: ScalarType) -> Value:
    """`LANES` sums, 0 at first."""
    return zeros(builder, MemrefType.packed(element, (LANES,)))
