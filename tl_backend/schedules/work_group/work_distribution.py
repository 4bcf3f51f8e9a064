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
from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.kernel.types import Scalar
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.work_group.items import Items
from einsum_front.tl_backend.schedules.work_group.register_blocks import Part, split

UNROLLED = 16
"""Steps that are unrolled together."""


def spread(extent: int, items: Items, names: Names, body: Callable[[tree.Name], tree.Statements]) -> tree.Statements:
    """The body for every position below the extent; the work-items take positions beside each other."""
    steps, rest = divmod(extent, items.count)
    names = names.inner()
    position, step, first = (tree.Name(names.fresh(word)) for word in ("entry", "turn", "first_turn"))

    def at(number: tree.Expression) -> tree.Statements:
        place = index.add(items.number, index.multiply(index.constant(items.count), number))
        return tree.Declare(Scalar.I32, position.text, place), *body(position)

    return (*_loops(split(steps, UNROLLED) if steps else (), step, first, at), *_rest(rest, steps, items, at))


def _loops(
    parts: tuple[Part, ...], step: tree.Name, first: tree.Name, at: Callable[[tree.Expression], tree.Statements]
) -> Iterator[tree.Statement]:
    for part in parts:
        start, size = index.constant(part.start), index.constant(part.size)
        if part.pieces == 1:
            yield _unrolled(step, part.size, at(index.add(start, step)))
        else:
            inner = _unrolled(step, part.size, at(index.add(first, step)))
            yield tree.For(Scalar.I32, first.text, start, index.constant(part.stop), size, (inner,))


def _unrolled(step: tree.Name, size: int, body: tree.Statements) -> tree.Statement:
    return tree.For(Scalar.I32, step.text, index.ZERO, index.constant(size), index.ONE, body, tree.Unroll.FULLY)


def _rest(
    rest: int, steps: int, items: Items, at: Callable[[tree.Expression], tree.Statements]
) -> Iterator[tree.Statement]:
    if rest:
        yield tree.If(
            tree.Binary(tree.BinaryOperator.LESS, items.number, index.constant(rest)), at(index.constant(steps))
        )
