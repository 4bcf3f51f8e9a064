"""Numbers that depend on a counter: computed if they are equidistant, otherwise looked up in a table."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from einsum_front.tl_backend.kernel import tree
from einsum_front.tl_backend.opencl import index
from einsum_front.tl_backend.schedules.batch_simd.context import LaneContext

Numbers = Sequence[int] | NDArray[np.int64]


def is_progression(numbers: Numbers) -> bool:
    """True if all neighbours differ by the same."""
    steps = np.diff(numbers)
    return bool((steps == steps[:1]).all())


def number_at(counter: tree.Expression, numbers: Numbers, hint: str, context: LaneContext) -> tree.Expression:
    """The number with the number that the counter has, which starts at 0."""
    if is_progression(numbers):
        first, second = int(numbers[0]), int(numbers[min(1, len(numbers) - 1)])
        return index.add(index.constant(first), index.multiply(counter, index.constant(second - first)))
    return tree.Subscript(context.table(hint, tuple(np.asarray(numbers).tolist())), counter)
