"""Products with their summands written out, in a loop over the rows or the columns of the target.

    for (int i = 0; i < 10; ++i) {
        double4 held0 = I[i + 120]; …
        T[9 * i] = held0 * star[6] + held1 * star[7] + held2 * star[8];
        …
    }

The loop is cut where the summands change. Entries that occur several times in its body are held in variables.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tl_backend.opencl import index
from tl_backend.opencl.lanes.context import Context
from tl_backend.opencl.lanes.places import Affine
from tl_backend.opencl.lanes.product import Axis, Factor, Product
from tl_backend.opencl.lanes.update import scaled, updated
from tl_backend.opencl.lanes.zeros import Mask, Patterns, stored_mask, summands
from tl_backend.opencl.tree import (
    Assign,
    Binary,
    BinaryOperator,
    Block,
    Declare,
    Expression,
    For,
    Name,
    Scalar,
    Statement,
    Statements,
)

MOST_HELD = 10
"""Entries that are kept in registers while the body runs."""

LONGEST_BODY = 160
"""Summands in one loop; with more, the target is computed in several loops."""

COUNTER = " counter"
"""The loop's variable among the values, under a name that no value of the tensor language has."""

Point = tuple[int, int, int]
"""Row, column and depth in a term."""


@dataclass(frozen=True, slots=True)
class Sum:
    """An entry of the target, in the first iteration of its loop: row and column, and the summands of each term."""

    row: int
    column: int
    points: tuple[tuple[int, Point], ...]


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the loop, `count` iterations long, in which all have the same sums."""

    axis: Axis
    count: int
    sums: tuple[Sum, ...]

    @property
    def size(self) -> int:
        """How many summands and results are written out."""
        return sum(max(1, len(each.points)) for each in self.sums)


@dataclass(frozen=True, slots=True)
class MovingEntry:
    """An entry of a base: its position in the first iteration, and what it moves by in each."""

    base: str
    position: Affine
    step: int


def moving_entry(factor: Factor, point: Point, stretch: Stretch) -> MovingEntry:
    """The entry of a factor at a point of its term."""
    moved = sum((stride or 0) * place for stride, place in zip(factor.strides, point, strict=True))
    step = factor.strides[stretch.axis] or 0 if stretch.count > 1 else 0
    return MovingEntry(factor.base, factor.offset + Affine(moved), step)


def uses(stretch: Stretch, product: Product) -> Counter[MovingEntry]:
    """How often each entry is used in an iteration."""
    points = (point for each in stretch.sums for point in each.points)
    return Counter(
        moving_entry(factor, point, stretch) for number, point in points for factor in product.terms[number].factors
    )


def held(stretch: Stretch, product: Product) -> list[MovingEntry]:
    """The entries that are used several times and have a register."""
    return [entry for entry, count in uses(stretch, product).most_common(MOST_HELD) if count > 1]


def loads(stretch: Stretch, product: Product) -> int:
    """How many numbers are loaded in all iterations."""
    used = uses(stretch, product)
    return stretch.count * (used.total() - sum(used[entry] - 1 for entry in held(stretch, product)))


def stretches(product: Product, patterns: Patterns) -> tuple[Stretch, ...]:
    """The loops that need the least text; those over the longer axis if both need as much."""
    candidates = [tuple(_stretches(product, patterns, axis)) for axis in (Axis.ROW, Axis.COLUMN)]
    return min(candidates, key=lambda each: (text_size(each), len(each), sum(stretch.size for stretch in each)))


def text_size(parts: Sequence[Stretch]) -> int:
    """How many summands and results are written out."""
    return sum(part.size for part in parts)


def _stretches(product: Product, patterns: Patterns, axis: Axis) -> Iterator[Stretch]:
    masks = [summands(term, patterns) for term in product.terms]
    kept = stored_mask(product, patterns)
    length = kept.shape[axis]
    keys = [_key(product, masks, kept, axis, number) for number in range(length)]
    start = 0
    for number in range(length):
        if number + 1 == length or keys[number + 1] != keys[start]:
            sums = tuple(_sums(product, masks, kept, axis, start))
            if sums:
                yield from _cut(axis, number + 1 - start, sums)
            start = number + 1


def _key(product: Product, masks: Sequence[Mask], kept: Mask, axis: Axis, number: int) -> tuple[bytes, ...]:
    """What two iterations of one loop must have in common."""
    shares = [b""] * len(masks)
    for position, (term, mask) in enumerate(zip(product.terms, masks, strict=True)):
        range_ = term.rows if axis is Axis.ROW else term.columns
        if number in range_:
            shares[position] = np.take(mask, number - range_.start, axis).tobytes()
    return *shares, np.take(kept, number, axis).tobytes()


def _sums(product: Product, masks: Sequence[Mask], kept: Mask, axis: Axis, number: int) -> Iterator[Sum]:
    for other in range(kept.shape[1 - axis]):
        row, column = (number, other) if axis is Axis.ROW else (other, number)
        if kept[row, column]:
            yield Sum(row, column, tuple(_points(product, masks, row, column)))


def _points(product: Product, masks: Sequence[Mask], row: int, column: int) -> Iterator[tuple[int, Point]]:
    for number, (term, mask) in enumerate(zip(product.terms, masks, strict=True)):
        if row in term.rows and column in term.columns:
            at = row - term.rows.start, column - term.columns.start
            yield from ((number, (*at, int(depth))) for depth in np.flatnonzero(mask[at]))


def _cut(axis: Axis, count: int, sums: tuple[Sum, ...]) -> Iterator[Stretch]:
    """Loops whose bodies are not too long."""
    some: list[Sum] = []
    size = 0
    for each in sums:
        if some and size + len(each.points) > LONGEST_BODY:
            yield Stretch(axis, count, tuple(some))
            some, size = [], 0
        some.append(each)
        size += max(1, len(each.points))
    yield Stretch(axis, count, tuple(some))


# -- code --------------------------------------------------------------------------------------------------------------


def lower_stretch(
    stretch: Stretch, product: Product, context: Context, ahead: Callable[[Expression], Statements]
) -> Statements:
    """The loop, or what is in it if it runs once; `ahead` is what else is done in an iteration."""
    context = context.inner()
    counter = Name(context.names.fresh("i"))
    body = tuple(_Body(stretch, product, counter, context).statements())
    if stretch.count == 1:
        return (Block(body),)
    stop = index.constant(stretch.count)
    return (For(Scalar.INT, counter.text, index.ZERO, stop, index.ONE, (*ahead(counter), *body)),)


class _Body:
    """The body of one loop."""

    def __init__(self, stretch: Stretch, product: Product, counter: Name, context: Context) -> None:
        self._stretch = stretch
        self._product = product
        self._context = context.with_value(COUNTER, counter)
        names = context.names
        self._held = {entry: Name(names.fresh("held")) for entry in held(stretch, product)}

    def statements(self) -> Iterator[Statement]:
        """The held entries, then a statement for every sum."""
        for entry, name in self._held.items():
            type_ = self._context.type_of(self._context.is_uniform(entry.base))
            yield Declare(type_, name.text, self._in_memory(entry))
        yield from map(self._sum, self._stretch.sums)

    def _in_memory(self, entry: MovingEntry) -> Expression:
        return self._context.entry(entry.base, entry.position + Affine(0, ((COUNTER, 1),)).times(entry.step))

    def _value(self, entry: MovingEntry) -> Expression:
        return self._held.get(entry) or self._in_memory(entry)

    def _sum(self, each: Sum) -> Statement:
        target = self._in_memory(moving_entry(self._product.target, (each.row, each.column, 0), self._stretch))
        is_uniform = self._context.is_uniform(self._product.target.base)
        terms = sorted({number for number, _ in each.points})
        total: Expression | None = None
        for number in terms:
            share = self._share(number, [point for term, point in each.points if term == number])
            total = share if total is None else Binary(BinaryOperator.ADD, total, share)
        value = self._context.zero_of(is_uniform) if total is None else total
        return Assign(target, updated(value, self._product.beta, target, is_uniform, self._context))

    def _share(self, number: int, points: Sequence[Point]) -> Expression:
        """What one term adds."""
        total: Expression | None = None
        for point in points:
            value: Expression | None = None
            for each in self._product.terms[number].factors:
                factor = self._value(moving_entry(each, point, self._stretch))
                value = factor if value is None else Binary(BinaryOperator.MULTIPLY, value, factor)
            total = value if total is None or value is None else Binary(BinaryOperator.ADD, total, value)
        return scaled(self._product.terms[number].alpha, total or self._context.zero_of(True), self._context)
