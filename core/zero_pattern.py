"""Zero patterns of tensors: half-open runs of packed column-major positions, and boolean arrays."""

from typing import cast

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Runs = tuple[tuple[int, int], ...]


def mask_from_runs(runs: Runs, shape: tuple[int, ...]) -> Mask:
    """The array of this shape that is true in the runs."""
    size = int(np.prod(shape, dtype=np.int64))
    steps = np.zeros(size + 1, np.int8)
    edges = np.array(runs, np.int64).reshape(-1, 2)
    np.add.at(steps, edges[:, 0], 1)
    np.subtract.at(steps, edges[:, 1], 1)
    mask = np.cumsum(steps[:size], dtype=np.int8) > 0
    return cast(Mask, mask.reshape(shape, order="F"))


def runs_from_mask(mask: Mask) -> Runs:
    """The runs of true entries, in column-major order."""
    flat = mask.ravel(order="F")
    padded = np.concatenate(([False], flat, [False]))
    edges = np.flatnonzero(padded[1:] != padded[:-1])
    return tuple((int(start), int(stop)) for start, stop in edges.reshape(-1, 2))
