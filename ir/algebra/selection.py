"""Patterns of ones: arrays that are one number where modes run in step, and zero elsewhere.

    identity [[1,0,0],      rows 1 and 2   [[0,1,0],      ones in a range [0, 1, 1, 0]
              [0,1,0],                      [0,0,1]]
              [0,0,1]]

A product with one of them is a part of the other factors: the indices of modes in step become one index.
"""

from collections.abc import Iterator
from math import prod

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.ir.contraction.interpret import Array


@dataclass(frozen=True, slots=True)
class Link:
    """Modes that run in step from their starts on, through `extent` positions."""

    modes: tuple[int, ...]
    starts: tuple[int, ...]
    extent: int


@dataclass(frozen=True, slots=True)
class Selection:
    """`value` where the modes of every link run in step, zero elsewhere; each mode is in one link."""

    value: float
    links: tuple[Link, ...]


def selection_of(array: Array) -> Selection | None:
    """The array as a selection; None if it is none, or zero."""
    places = np.argwhere(array)
    value = _only_value(array)
    if value is None:
        return None
    starts = places.min(axis=0)
    steps = places - starts
    links: list[Link] = []
    for mode in range(array.ndim):
        leader = next((link for link in links if _in_step(steps, link.modes[0], mode)), None)
        if leader is None:
            links.append(Link((mode,), (int(starts[mode]),), int(steps[:, mode].max()) + 1))
        else:
            joined = Link((*leader.modes, mode), (*leader.starts, int(starts[mode])), leader.extent)
            links[links.index(leader)] = joined
    return Selection(value, tuple(links)) if len(places) == prod(link.extent for link in links) else None


def runs_of(array: Array) -> tuple[Selection, ...] | None:
    """A matrix as a sum of selections of two modes in step; None if a row or a column has two entries, or it is zero.

    A run is as long as it can be: `[[1,0,0,0], [0,1,0,0], [0,0,0,1]]` has two.
    """
    value = _only_value(array)
    if value is None or array.ndim != 2 or np.count_nonzero(array, axis=0).max() > 1:
        return None
    if np.count_nonzero(array, axis=1).max() > 1:
        return None
    return tuple(Selection(value, (link,)) for link in _runs(np.argwhere(array)))


def _runs(places: Array) -> Iterator[Link]:
    """The runs of ascending places."""
    breaks = np.flatnonzero((np.diff(places, axis=0) != 1).any(axis=1)) + 1
    for run in np.split(places, breaks):
        yield Link((0, 1), (int(run[0, 0]), int(run[0, 1])), len(run))


def _only_value(array: Array) -> float | None:
    """The one number that stands where the array is not zero."""
    values = np.unique(array[array != 0])
    return values[0].item() if len(values) == 1 else None


def _in_step(steps: Array, one: int, other: int) -> bool:
    return bool(steps[:, one].any()) and bool((steps[:, one] == steps[:, other]).all())
