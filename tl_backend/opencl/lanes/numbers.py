"""Numbers that depend on a counter: computed if they are equidistant, otherwise looked up in a table."""

from collections.abc import Sequence
from itertools import pairwise

from tl_backend.opencl import index
from tl_backend.opencl.lanes.context import Context
from tl_backend.opencl.tree import Expression, Subscript


def is_progression(numbers: Sequence[int]) -> bool:
    """Whether all neighbours differ by the same."""
    return len({after - before for before, after in pairwise(numbers)}) <= 1


def number_at(counter: Expression, numbers: Sequence[int], wish: str, context: Context) -> Expression:
    """The number with the number that the counter has, which starts at 0."""
    if is_progression(numbers):
        step = numbers[1] - numbers[0] if len(numbers) > 1 else 0
        return index.add(index.constant(numbers[0]), index.multiply(counter, index.constant(step)))
    return Subscript(context.table(wish, tuple(numbers)), counter)
