"""Runs: half-open ranges of packed column-major positions, as facts of texts and artifacts have them.

From and to boolean arrays, and the grids of boxes of `core.zero_pattern`.
"""

from math import prod
from typing import cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.limits import LARGEST_FOLLOWED

Mask = NDArray[np.bool_]
Runs = tuple[tuple[int, int], ...]

Cuts = tuple[int, ...]
"""Where the ranges of a mode begin, and behind them its extent."""

MOST_RUNS = 2**20
"""Columns of a tensor of which runs are made."""


class TooManyCellsError(Exception):
    """A pattern, or a network of patterns, is scattered over more cells than are followed."""

    def __init__(self, cells: int) -> None:
        super().__init__(cells)
        self.cells = cells


def reject_too_many(cells: int) -> None:
    """Raises `TooManyCellsError` for an array of so many cells if it is not to be made."""
    if cells > LARGEST_FOLLOWED:
        raise TooManyCellsError(cells)


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


def boxes_of_run(start: int, stop: int, shape: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """The run as disjoint boxes: the whole slices of the last mode, and what is left in front of and behind them."""
    if not shape:
        return [[]]
    plane = prod(shape[:-1])
    first, last = -(-start // plane), stop // plane
    if first > last:
        inner = boxes_of_run(start - last * plane, stop - last * plane, shape[:-1])
        return [[*box, (last, first)] for box in inner]
    found = [[*((0, extent) for extent in shape[:-1]), (first, last)]] if first < last else []
    if start < first * plane:
        found += [[*box, (first - 1, first)] for box in boxes_of_run(start % plane, plane, shape[:-1])]
    if last * plane < stop:
        found += [[*box, (last, last + 1)] for box in boxes_of_run(0, stop % plane, shape[:-1])]
    return found


def runs_of(cuts: tuple[Cuts, ...], cells: Mask) -> Runs:
    """The runs of a grid of boxes, column by column; columns without entries are not looked at.

    Raises `TooManyCellsError` for more than `MOST_RUNS` columns. Modes in front along which nothing changes are one
    with the next.
    """
    if cells.size == 1:
        return ((0, prod(own[-1] for own in cuts)),) if cells.item() else ()
    unit = 1
    while cells.shape[0] == 1 and cells.ndim > 1:
        unit, cuts, cells = unit * cuts[0][-1], cuts[1:], cells[0]
    stride, offsets, ranges = unit * cuts[0][-1], np.zeros(1, np.int64), []
    for mode, own in enumerate(cuts[1:], 1):
        has_any = cells.any(axis=tuple(axis for axis in range(cells.ndim) if axis != mode))
        lengths = np.where(has_any, np.diff(own), 0)
        if offsets.size * int(lengths.sum()) > MOST_RUNS:
            raise TooManyCellsError(offsets.size * int(lengths.sum()))
        ranges.append(np.repeat(np.arange(lengths.size), lengths))
        positions = np.concatenate([np.arange(*own[at : at + 2], dtype=np.int64) for at in np.flatnonzero(has_any)])
        offsets = np.add.outer(positions * stride, offsets).ravel()
        stride *= own[-1]
    reject_too_many(offsets.size * cells.shape[0])
    columns = cells[np.ix_(np.arange(cells.shape[0]), *ranges)].reshape(cells.shape[0], -1, order="F")
    padded = np.zeros((columns.shape[1], columns.shape[0] + 2), np.bool_)
    padded[:, 1:-1] = columns.T
    column, edge = np.nonzero(padded[:, 1:] != padded[:, :-1])
    found = offsets[column] + np.array(cuts[0], np.int64)[edge] * unit
    kept = np.concatenate(([True], found[1:-1:2] != found[2::2], [True])) if found.size else np.ones(1, np.bool_)
    starts, stops = found[0::2][kept[:-1]], found[1::2][kept[1:]]
    return tuple(zip(starts.tolist(), stops.tolist(), strict=True))
