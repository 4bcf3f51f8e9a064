"""Zero patterns of the tensors of a graph.

An index runs through all of a mode whose extent is dynamic, so no two positions of it differ but in being the same as
that of another mode: patterns are the same along it, or diagonals. `POSITIONS` of them stand for all.
"""

from collections.abc import Iterable

from einsum_front.core.extent import Extent
from einsum_front.core.zero_pattern import Pattern
from einsum_front.ir.tensor import Tensor

POSITIONS = 8
"""Positions that a pattern has along a dynamic mode: they tell apart as many indices, see `pattern.told_apart`."""


def positions(shape: Iterable[Extent]) -> tuple[int, ...]:
    """The shape of the pattern of a tensor of this shape."""
    return tuple(extent if isinstance(extent, int) else POSITIONS for extent in shape)


def dense(shape: Iterable[Extent]) -> Pattern:
    """The pattern without zeros."""
    return Pattern.full(positions(shape))


def empty(shape: Iterable[Extent]) -> Pattern:
    """The pattern of a tensor that is zero."""
    return Pattern.empty(positions(shape))


def pattern_of(tensor: Tensor) -> Pattern:
    """Which entries of the tensor may differ from zero, with the `positions` of its shape."""
    return dense(tensor.shape) if tensor.nonzeros is None else tensor.nonzeros
