"""Zero patterns: which entries of a tensor may differ from zero.

A `Pattern` is a grid of boxes: each mode is cut into ranges, and one truth value says of a box of ranges whether its
entries may differ from zero. So a pattern without zeros is one cell, a box at most three cells along each mode, and n
entries at most 2n + 1, however large the tensor is. A tensor of `FEW` entries or fewer has a cell for each entry, which
is faster. Either way a pattern has one grid only, so equal patterns have equal grids.

Facts of texts and artifacts are `Runs`: half-open ranges of packed column-major positions.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import prod
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.limits import LARGEST_FOLLOWED

Mask = NDArray[np.bool_]
Runs = tuple[tuple[int, int], ...]

Cuts = tuple[int, ...]
"""Where the ranges of a mode begin, and behind them its extent."""

Place = int | tuple[int, int]
"""A position of a mode, or a half-open range of it."""

FEW = 2**14
"""Entries of a tensor up to which its pattern has a cell for each of them."""


class TooManyCellsError(Exception):
    """A pattern, or a network of patterns, is scattered over more cells than are followed."""

    def __init__(self, cells: int) -> None:
        super().__init__(cells)
        self.cells = cells


def reject_too_many(cells: int) -> None:
    """Raises `TooManyCellsError` for an array of so many cells if it is not to be made."""
    if cells > LARGEST_FOLLOWED:
        raise TooManyCellsError(cells)


@dataclass(frozen=True, slots=True, eq=False)
class Pattern:
    """The entries that may differ from zero. `cells` has one axis a mode, and one position for each range of `cuts`.

    Never written to. `&`, `|`, `-` and `~` are those of sets of entries; operands have one shape. All that makes a
    pattern raises `TooManyCellsError` rather than to make one of more than `LARGEST_FOLLOWED` cells.
    """

    cuts: tuple[Cuts, ...]
    cells: Mask

    # -- made of -------------------------------------------------------------------------------------------------------

    @staticmethod
    def full(shape: Iterable[int]) -> "Pattern":
        """No entry is known to be zero."""
        return _constant(tuple(shape), is_full=True)

    @staticmethod
    def empty(shape: Iterable[int]) -> "Pattern":
        """All entries are zero."""
        return _constant(tuple(shape), is_full=False)

    @staticmethod
    def of_array(array: NDArray[np.generic]) -> "Pattern":
        """The entries that are true or not zero. An axis with stride 0 takes no time."""
        once = tuple(slice(0, 1) if stride == 0 else slice(None) for stride in array.strides)
        cells = np.asarray(array[once] != 0)
        cuts = (
            (0, extent) if size != extent else _unit(extent)
            for size, extent in zip(cells.shape, array.shape, strict=True)
        )
        return grid(tuple(cuts), cells)

    @staticmethod
    def of_boxes(shape: Sequence[int], boxes: Sequence[Sequence[tuple[int, int]]]) -> "Pattern":
        """The entries in at least one of some boxes."""
        edges = [sorted({0, extent, *(e for box in boxes for e in box[mode])}) for mode, extent in enumerate(shape)]
        reject_too_many(prod(len(each) - 1 for each in edges))
        cells = np.zeros([len(each) - 1 for each in edges], np.bool_)
        for box in boxes:
            cells[tuple(slice(*(bisect_left(own, e) for e in r)) for own, r in zip(edges, box, strict=True))] = True
        return grid(tuple(map(tuple, edges)), cells)

    @staticmethod
    def of_positions(shape: Sequence[int], positions: Iterable[Sequence[int]]) -> "Pattern":
        """Single entries."""
        given = list(positions)
        if not given or not shape:
            return _constant(tuple(shape), is_full=bool(given))
        listed = np.array(given, np.int64).T
        edges = [np.unique([0, extent, *at, *(at + 1)]) for extent, at in zip(shape, listed, strict=True)]
        reject_too_many(prod(each.size - 1 for each in edges))
        cells = np.zeros([each.size - 1 for each in edges], np.bool_)
        cells[tuple(map(np.searchsorted, edges, listed))] = True
        return grid(tuple(tuple(each.tolist()) for each in edges), cells)

    @staticmethod
    def of_runs(runs: Runs, shape: tuple[int, ...]) -> "Pattern":
        """The entries in some runs."""
        if prod(shape) <= max(FEW, len(runs) * FEW):
            return Pattern.of_array(mask_from_runs(runs, shape))
        return Pattern.of_boxes(shape, [box for run in runs for box in _boxes_of_run(*run, shape)])

    # -- what it is ----------------------------------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """The extent of each mode of the tensor."""
        return tuple(own[-1] for own in self.cuts)

    @property
    def ndim(self) -> int:
        """Number of modes."""
        return len(self.cuts)

    @property
    def size(self) -> int:
        """Number of entries, zeros included."""
        return prod(self.shape)

    @property
    def is_full(self) -> bool:
        """True if no entry is known to be zero."""
        return self.cells.size == 1 and bool(self.cells.item())

    @property
    def is_empty(self) -> bool:
        """True if all entries are zero."""
        return self.cells.size == 1 and not self.cells.item()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Pattern) and self.cuts == other.cuts and bool((self.cells == other.cells).all())

    def __hash__(self) -> int:
        return hash((self.cuts, self.cells.tobytes()))

    def __repr__(self) -> str:
        return f"<pattern of {'x'.join(map(str, self.shape)) or 'a number'}: {self.count()} of {self.size} entries>"

    def count(self) -> int:
        """Number of entries that may differ from zero."""
        if self.cells.size == 1:
            return self.size if self.is_full else 0
        if self.size <= FEW:
            return int(np.count_nonzero(self.cells))
        counts: NDArray[Any] = self.cells.astype(np.int64 if self.size < 2**62 else object)
        for own in self.cuts:
            counts = np.tensordot(np.diff(own).astype(counts.dtype), counts, (0, 0))
        return int(counts)

    def bounds(self) -> tuple[tuple[int, int], ...] | None:
        """The smallest range of each mode that holds all entries; None if there are none."""
        if self.is_empty:
            return None
        if self.is_full:
            return tuple((0, own[-1]) for own in self.cuts)
        return tuple(
            (own[int(found.min())], own[int(found.max()) + 1])
            for own, found in zip(self.cuts, self.cells.nonzero(), strict=True)
        )

    def first(self) -> tuple[int, ...]:
        """The first entry that may differ from zero, the last mode fastest; there is one."""
        found = np.unravel_index(int(self.cells.argmax()), self.cells.shape)
        return tuple(own[int(at)] for own, at in zip(self.cuts, found, strict=True))

    def is_uniform(self, mode: int) -> bool:
        """True if it is the same at all positions of a mode."""
        return self.cells.shape[mode] == 1 or bool((self.cells == self.cells.take([0], mode)).all())

    def array(self) -> Mask:
        """True for each entry that may differ from zero, one by one; not to be written to."""
        if self.cells.size == 1:
            return np.broadcast_to(self.cells, self.shape)
        return spread(self, tuple(map(_unit, self.shape)))

    def runs(self) -> Runs:
        """The runs of entries in column-major order."""
        return _runs(self)

    # -- sets of entries -----------------------------------------------------------------------------------------------

    def __and__(self, other: "Pattern") -> "Pattern":
        if self.is_full or other.is_empty:
            return other
        return self if other.is_full or self.is_empty else _combined(np.logical_and, self, other)

    def __or__(self, other: "Pattern") -> "Pattern":
        if self.is_empty or other.is_full:
            return other
        return self if other.is_empty or self.is_full else _combined(np.logical_or, self, other)

    def __sub__(self, other: "Pattern") -> "Pattern":
        return self if other.is_empty or self.is_empty else _combined(np.greater, self, other)

    def __invert__(self) -> "Pattern":
        return Pattern(self.cuts, _fixed(~self.cells))

    # -- modes ---------------------------------------------------------------------------------------------------------

    def part(self, places: Sequence[Place]) -> "Pattern":
        """What it has at a place of each mode; a mode with one position is gone."""
        cuts: list[Cuts] = []
        chosen: list[int | slice] = []
        for own, place in zip(self.cuts, places, strict=True):
            if isinstance(place, int):
                chosen.append(bisect_right(own, place) - 1)
            elif place == (0, own[-1]):
                chosen.append(slice(None))
                cuts.append(own)
            else:
                first, last = bisect_right(own, place[0]) - 1, bisect_left(own, place[1])
                chosen.append(slice(first, last))
                cuts.append((0, *(cut - place[0] for cut in own[first + 1 : last]), place[1] - place[0]))
        return grid(tuple(cuts), self.cells[tuple(chosen)])

    def diagonal(self, names: Sequence[object]) -> "Pattern":
        """The entries at which modes of the same name have the same position; one mode for each name is left."""
        distinct = tuple(dict.fromkeys(names))
        if len(distinct) == len(names):
            return self
        common = {name: common_cuts(o for o, n in zip(self.cuts, names, strict=True) if n == name) for name in distinct}
        cells = spread(self, tuple(common[name] for name in names))
        axes = [distinct.index(name) for name in names]
        return grid(tuple(common.values()), np.einsum(cells, axes, list(range(len(distinct)))))

    def over(self, modes: Sequence[int | None], shape: Sequence[int]) -> "Pattern":
        """Its modes in another order, all of them, and new ones (None) along which nothing changes."""
        if self.cells.size == 1:
            return _constant(tuple(shape), is_full=self.is_full)
        cells = self.cells.transpose([mode for mode in modes if mode is not None])
        cuts = ((0, extent) if mode is None else self.cuts[mode] for mode, extent in zip(modes, shape, strict=True))
        return grid(tuple(cuts), cells[tuple(np.newaxis if mode is None else slice(None) for mode in modes)])

    def transposed(self, modes: Sequence[int]) -> "Pattern":
        """Mode i of the result is mode `modes[i]` of this."""
        return self.over(modes, [self.cuts[mode][-1] for mode in modes])

    def without(self, modes: Iterable[int]) -> "Pattern":
        """The positions of the other modes that have an entry somewhere along these."""
        dropped = tuple(modes)
        cuts = tuple(own for mode, own in enumerate(self.cuts) if mode not in dropped)
        return grid(cuts, np.asarray(self.cells.any(axis=dropped)))

    def with_part(self, places: Sequence[Place], modes: Sequence[int], value: "Pattern") -> "Pattern":
        """The same, but for a part of it, which is `value`: range number i of the places is walked by its `modes[i]`.

        A mode of the value may walk several ranges: then only the diagonal of the part is replaced.
        """
        if (value.is_full and self.is_full) or (value.is_empty and self.is_empty):
            return self
        walked = iter(modes)
        mode_of = [None if isinstance(place, int) else next(walked) for place in places]
        cuts: list[Cuts] = []
        chosen: list[int | slice] = []
        for own, place, mode in zip(self.cuts, places, mode_of, strict=True):
            start, stop = (place, place + 1) if isinstance(place, int) else place
            marks: Iterable[int] = (start, stop)
            if mode is not None:
                diagonal = list(modes).count(mode) > 1
                marks = range(start, stop + 1) if diagonal else (start + cut for cut in value.cuts[mode])
            cuts.append(common_cuts((own, tuple(marks))))
            first, last = bisect_left(cuts[-1], start), bisect_left(cuts[-1], stop)
            chosen.append(first if mode is None else slice(first, last))
        reject_too_many(prod(len(own) - 1 for own in cuts))
        cells = np.array(spread(self, tuple(cuts)))
        view = np.einsum(cells[tuple(chosen)], list(modes), list(range(value.ndim))) if modes else cells[tuple(chosen)]
        ranges = zip(mode_of, places, chosen, cuts, strict=True)
        within = {
            mode: tuple(cut - place[0] for cut in own[where.start : where.stop + 1])
            for mode, place, where, own in ranges
            if mode is not None and isinstance(place, tuple) and isinstance(where, slice)
        }
        if modes:
            view[...] = spread(value, tuple(within[mode] for mode in range(value.ndim)))
        else:
            cells[tuple(chosen)] = value.is_full
        return grid(tuple(cuts), cells)


# -- grids -------------------------------------------------------------------------------------------------------------


def grid(cuts: tuple[Cuts, ...], cells: Mask) -> Pattern:
    """The pattern with these cells, which may be cut more often than it takes; what has size 0 is empty."""
    shape = tuple(own[-1] for own in cuts)
    is_full = cells.size > 0 and bool(cells.all())
    if is_full or not cells.any():
        return _constant(shape, is_full=is_full)
    if prod(shape) <= FEW:
        units = tuple(map(_unit, shape))
        return Pattern(units, _fixed(np.ascontiguousarray(_spread(cuts, cells, units))))
    reject_too_many(cells.size)
    kept: list[Cuts] = []
    for mode, own in enumerate(cuts):
        rows = cells.swapaxes(0, mode)
        differs = (rows[1:] != rows[:-1]).any(axis=tuple(range(1, rows.ndim)))
        if not differs.all():
            first = np.concatenate(([True], differs))
            cells = cells.compress(first, mode)
            own = tuple(cut for cut, keeps in zip(own, [*first.tolist(), True], strict=True) if keeps)  # noqa: PLW2901
        kept.append(own)
    return Pattern(tuple(kept), _fixed(np.ascontiguousarray(cells)))


def _fixed(cells: Mask) -> Mask:
    cells.setflags(write=False)
    return cells


@lru_cache(maxsize=1024)
def _constant(shape: tuple[int, ...], *, is_full: bool) -> Pattern:
    is_full = is_full and 0 not in shape
    return Pattern(tuple((0, extent) for extent in shape), _fixed(np.full((1,) * len(shape), is_full)))


@lru_cache(maxsize=1024)
def _unit(extent: int) -> Cuts:
    """A range for each position."""
    return tuple(range(extent + 1)) if extent else (0, 0)


def common_cuts(cuts: Iterable[Cuts]) -> Cuts:
    """The cuts of a mode that several patterns have, all of them."""
    distinct = list(dict.fromkeys(cuts))
    if len(distinct) == 1:
        return distinct[0]
    return tuple(sorted(set().union(*distinct)))


def spread(pattern: Pattern, cuts: tuple[Cuts, ...]) -> Mask:
    """The cells of a pattern on a grid that has all of its cuts and more; not to be written to."""
    return _spread(pattern.cuts, pattern.cells, cuts)


def _spread(own: tuple[Cuts, ...], cells: Mask, cuts: tuple[Cuts, ...]) -> Mask:
    if own == cuts:
        return cells
    sizes = tuple(len(wanted) - 1 for wanted in cuts)
    reject_too_many(prod(sizes))
    for mode, (has, wanted) in enumerate(zip(own, cuts, strict=True)):
        if len(has) != len(wanted) and len(has) > 2:
            cells = cells.take(np.searchsorted(has, wanted[:-1], side="right") - 1, mode)
    return np.broadcast_to(cells, sizes)


def _combined(ufunc: Callable[[Mask, Mask], Any], one: Pattern, other: Pattern) -> Pattern:
    if one.cuts == other.cuts:
        return grid(one.cuts, ufunc(one.cells, other.cells))
    cuts = tuple(map(common_cuts, zip(one.cuts, other.cuts, strict=True)))
    return grid(cuts, ufunc(spread(one, cuts), spread(other, cuts)))


# -- runs --------------------------------------------------------------------------------------------------------------


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


def _boxes_of_run(start: int, stop: int, shape: tuple[int, ...]) -> list[list[tuple[int, int]]]:
    """The run as disjoint boxes: the whole slices of the last mode, and what is left in front of and behind them."""
    if not shape:
        return [[]]
    plane = prod(shape[:-1])
    first, last = -(-start // plane), stop // plane
    if first > last:
        inner = _boxes_of_run(start - last * plane, stop - last * plane, shape[:-1])
        return [[*box, (last, first)] for box in inner]
    found = [[*((0, extent) for extent in shape[:-1]), (first, last)]] if first < last else []
    if start < first * plane:
        found += [[*box, (first - 1, first)] for box in _boxes_of_run(start % plane, plane, shape[:-1])]
    if last * plane < stop:
        found += [[*box, (last, last + 1)] for box in _boxes_of_run(0, stop % plane, shape[:-1])]
    return found


def _runs(pattern: Pattern) -> Runs:
    """Column by column, those without entries aside; modes in front that are full or empty throughout are one."""
    if pattern.cells.size == 1:
        return ((0, pattern.size),) if pattern.is_full else ()
    if pattern.size <= FEW:
        return runs_from_mask(pattern.cells)
    cuts, cells, unit = pattern.cuts, pattern.cells, 1
    while cells.shape[0] == 1 and cells.ndim > 1:
        unit, cuts, cells = unit * cuts[0][-1], cuts[1:], cells[0]
    stride, offsets, ranges = unit * cuts[0][-1], np.zeros(1, np.int64), []
    for mode, own in enumerate(cuts[1:], 1):
        has_any = cells.any(axis=tuple(axis for axis in range(cells.ndim) if axis != mode))
        lengths = np.where(has_any, np.diff(own), 0)
        reject_too_many(offsets.size * int(lengths.sum()))
        ranges.append(np.repeat(np.arange(lengths.size), lengths))
        positions = np.flatnonzero(np.repeat(has_any, np.diff(own)))
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
