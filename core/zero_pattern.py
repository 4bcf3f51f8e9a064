"""Zero patterns: which entries of a tensor may differ from zero.

A `Pattern` is a grid of boxes: each mode is cut into ranges, and one truth value says of a box of ranges whether its
entries may differ from zero. So a pattern without zeros is one cell, a box at most three cells along each mode, and n
entries at most 2n + 1, however large the tensor is. A tensor of `FEW` entries or fewer has a cell for each entry, which
is faster. Either way a pattern has one grid only, so equal patterns have equal grids.

Facts of texts and artifacts are `core.runs`.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numpy_einsum import numpy_einsum
from einsum_front.core.runs import (
    MOST_RUNS,
    Cuts,
    Mask,
    Runs,
    TooManyCellsError,
    boxes_of_run,
    mask_from_runs,
    reject_too_many,
    runs_from_mask,
    runs_of,
)

Place = int | tuple[int, int]
"""A position of a mode, or a half-open range of it."""

FEW = 2**14
"""Entries of a tensor up to which its pattern has a cell for each of them."""


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
        return Pattern.of_boxes(shape, [box for run in runs for box in boxes_of_run(*run, shape)])

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
            lengths = np.diff(own).astype(counts.dtype).reshape(-1, *(1,) * (counts.ndim - 1))
            counts = (lengths * counts).sum(axis=0)
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
        """The runs of entries in column-major order; raises `TooManyCellsError` if they are too many for a text."""
        return runs_of(self.cuts, self.cells) if self.size > FEW else runs_from_mask(self.array())

    def has_few_runs(self) -> bool:
        """True if they are not too many."""
        try:
            return self.size <= FEW or len(self.runs()) <= MOST_RUNS
        except TooManyCellsError:
            return False

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
        if self._is_all(places):
            return self
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
        return grid(tuple(common.values()), numpy_einsum(cells, axes, list(range(len(distinct)))))

    def over(self, modes: Sequence[int | None], shape: Sequence[int]) -> "Pattern":
        """Its modes in another order, all of them, and new ones (None) along which nothing changes."""
        if self.cells.size == 1:
            return _constant(tuple(shape), is_full=self.is_full)
        if list(modes) == list(range(self.ndim)):
            return self
        cells = self.cells.transpose([mode for mode in modes if mode is not None])
        cuts = ((0, extent) if mode is None else self.cuts[mode] for mode, extent in zip(modes, shape, strict=True))
        return grid(tuple(cuts), cells[tuple(np.newaxis if mode is None else slice(None) for mode in modes)])

    def transposed(self, modes: Sequence[int]) -> "Pattern":
        """Mode i of the result is mode `modes[i]` of this."""
        return self.over(modes, [self.cuts[mode][-1] for mode in modes])

    def without(self, modes: Iterable[int]) -> "Pattern":
        """The positions of the other modes that have an entry somewhere along these."""
        dropped = tuple(modes)
        if not dropped:
            return self
        cuts = tuple(own for mode, own in enumerate(self.cuts) if mode not in dropped)
        return grid(cuts, np.asarray(self.cells.any(axis=dropped)))

    def with_part(self, places: Sequence[Place], modes: Sequence[int], value: "Pattern") -> "Pattern":
        """The same, but for a part of it, which is `value`: range number i of the places is walked by its `modes[i]`.

        A mode of the value may walk several ranges: then only the diagonal of the part is replaced.
        """
        if (value.is_full and self.is_full) or (value.is_empty and self.is_empty):
            return self
        if self._is_all(places) and len(set(modes)) == len(modes):
            return value.transposed(modes)
        left = iter(modes)
        mode_of = [None if isinstance(place, int) else next(left) for place in places]
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
        view = cells[tuple(chosen)]
        ranges = zip(mode_of, places, chosen, cuts, strict=True)
        within = {
            mode: tuple(cut - place[0] for cut in own[where.start : where.stop + 1])
            for mode, place, where, own in ranges
            if mode is not None and isinstance(place, tuple) and isinstance(where, slice)
        }
        if modes:
            walked = numpy_einsum(view, list(modes), list(range(value.ndim)))
            walked[...] = spread(value, tuple(within[mode] for mode in range(value.ndim)))
        else:
            cells[tuple(chosen)] = value.is_full
        return grid(tuple(cuts), cells)

    def _is_all(self, places: Sequence[Place]) -> bool:
        return all(place == (0, own[-1]) for place, own in zip(places, self.cuts, strict=True))


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
