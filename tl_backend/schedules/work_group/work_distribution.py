"""Positions that the work-items of a group share, in loops of a known number of steps.

for (int t = 0; t < 12; ++t) {                             unrolled
    int x = item_row + 14 * item_column + 196 * t;
    A_near[x] = A[x];
}
if (item_row + 14 * item_column < 40) { … }

A GPU has many loads on their way at a time if the compiler sees that there are so many: where each step asks whether it
is the last one, the next load waits for the store.
"""

from collections.abc import Callable, Iterator

from einsum_front.core.names import Names
from einsum_front.tl_backend.kernel.tree import (
    Binary,
    BinaryOperator,
    Declare,
    Expression,
    For,
    If,
    Name,
    Statement,
    Statements,
    Unroll,
)
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.work_group.items import Items
from einsum_front.tl_backend.schedules.work_group.register_blocks import Part, split

UNROLLED = 16
"""Steps that are unrolled together."""


def spread(extent: int, items: Items, names: Names, body: Callable[[Name], Statements]) -> Statements:
    """The body for every position below the extent; the work-items take positions beside each other."""
    steps, rest = divmod(extent, items.count)
    names = names.inner()
    position, step, first = (Name(names.fresh(word)) for word in ("x", "t", "t0"))

    def at(number: Expression) -> Statements:
        place = index.add(items.number, index.multiply(index.constant(items.count), number))
        return Declare(Scalar.I32, position.text, place), *body(position)

    return (*_loops(split(steps, UNROLLED) if steps else (), step, first, at), *_rest(rest, steps, items, at))


def _loops(
    parts: tuple[Part, ...], step: Name, first: Name, at: Callable[[Expression], Statements]
) -> Iterator[Statement]:
    for part in parts:
        start, size = index.constant(part.start), index.constant(part.size)
        if part.pieces == 1:
            yield _unrolled(step, part.size, at(index.add(start, step)))
        else:
            inner = _unrolled(step, part.size, at(index.add(first, step)))
            yield For(Scalar.I32, first.text, start, index.constant(part.stop), size, (inner,))


def _unrolled(step: Name, size: int, body: Statements) -> Statement:
    return For(Scalar.I32, step.text, index.ZERO, index.constant(size), index.ONE, body, Unroll.FULLY)


def _rest(rest: int, steps: int, items: Items, at: Callable[[Expression], Statements]) -> Iterator[Statement]:
    if rest:
        yield If(Binary(BinaryOperator.LESS, items.number, index.constant(rest)), at(index.constant(steps)))
