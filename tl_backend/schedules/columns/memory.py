"""Places in local memory: rows an odd number of entries apart, and memories that never live together in one place.

Work-items beside each other then read from different banks, whether they have neighbouring columns or rows.
"""

from collections.abc import Mapping

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.core.runs import Mask
from einsum_front.tl_backend.analysis.placement import place
from einsum_front.tl_backend.schedules.positions.product import Positions
from einsum_front.tl_backend.schedules.positions.zeros import Storage


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the entries of a memory are: rows of `pitch` entries in the memory, of which `first` to `first + height`
    have a place, `distance` entries apart. The memories of all elements of the work-group are side by side, from
    `start` times their number on."""

    pitch: int
    first: int
    height: int
    rows: range
    distance: int
    start: int = 0

    @property
    def size(self) -> int:
        """Entries of an element; the next one goes on with the next row."""
        return len(self.rows) * self.distance

    def places(self, positions: Positions) -> Positions:
        """The places of entries behind the start of the element."""
        row, inside = positions // self.pitch, positions % self.pitch
        return np.asarray((row - self.rows.start) * self.distance + inside - self.first)


def layout_of(storage: Storage, used: Mask) -> Layout:
    """The layout of a memory of which these entries are used."""
    positions = np.flatnonzero(used)
    pitch = _pitch(storage)
    inside, rows = positions % pitch, positions // pitch
    first, stop = int(inside.min()), int(inside.max()) + 1
    height = stop - first
    whole = range(int(rows.min()), int(rows.max()) + 1)
    distance = height if len(whole) == 1 else height + 1 - height % 2
    return Layout(pitch, first, height, whole, distance)


def _pitch(storage: Storage) -> int:
    """Entries from one row to the next: the distance of the second mode, if the others are multiples of it."""
    strides = [stride or 0 for stride in storage.memref.strides]
    if len(strides) < 2 or strides[0] != 1 or strides[1] < 1:
        return storage.span
    pitch = strides[1]
    is_regular = all(stride % pitch == 0 for stride in strides[1:]) and (storage.memref.shape[0] or 0) <= pitch
    return pitch if is_regular else storage.span


def placed(layouts: Mapping[str, Layout], lives: Mapping[str, range]) -> tuple[dict[str, int], int]:
    """The starts of all memories, and the entries of an element; memories whose lives meet do not overlap."""
    found = place({base: layouts[base].size for base in sorted(layouts)}, lives)
    return {base: entries.start for base, entries in found.places.items()}, found.size
