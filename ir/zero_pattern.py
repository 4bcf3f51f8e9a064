"""Zero patterns of the tensors of a graph.

An index runs through all of a mode whose extent is dynamic, so no two positions of it differ but in being the same as
that of another mode: patterns are the same along it, or diagonals. `POSITIONS` of them stand for all.
"""

from collections.abc import Iterable

import numpy as np

from einsum_front.core.extent import Extent
from einsum_front.core.zero_pattern import Mask, mask_from_runs
from einsum_front.ir.tensor import Tensor

POSITIONS = 8
"""Positions that a pattern has along a dynamic mode: they tell apart as many indices, see `pattern.told_apart`."""


def positions(shape: Iterable[Extent]) -> tuple[int, ...]:
    """The shape of the pattern of a tensor of this shape."""
    return tuple(extent if isinstance(extent, int) else POSITIONS for extent in shape)


def mask_of(tensor: Tensor) -> Mask:
    """Which entries of the tensor may differ from zero, with the `positions` of its shape; do not write to it."""
    if tensor.nonzeros is None:
        return np.broadcast_to(np.True_, positions(tensor.shape))
    return mask_from_runs(tensor.nonzeros, positions(tensor.shape))
