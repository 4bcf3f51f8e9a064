"""Rows of a table that are summed up together, because they have about the same summands.

An entry that was loaded for one row then serves the others as well. Rows without some summand of their group have a
value of zero for it, where values are packed.
"""

from functools import cache

import numpy as np

from einsum_front.core.runs import Mask
from einsum_front.tl_backend.schedules.positions.product import Positions

PAIR = 2

STRETCH = 128
"""Rows among which partners are sought: the time for it grows with the square."""


def find_groups(holds: Mask, most: int, waste: float) -> list[Positions]:
    """The rows in groups of 1, 2, 4, … up to `most`: an array, groups x height, for each height, the largest first.

    `holds` says for each row which summands (the columns) it has. A group has at most `waste` times the multiplications
    that its rows need, those by zeros included.
    """
    groups = np.arange(holds.shape[0])[:, None]
    found: list[Positions] = []
    while groups.shape[1] < most and groups.shape[0] > 1:
        partners = _find_partners(holds[groups], waste)
        is_alone = partners == np.arange(partners.size)
        found.append(groups[is_alone])
        firsts = np.flatnonzero(np.arange(partners.size) < partners)
        groups = np.concatenate((groups[firsts], groups[partners[firsts]]), axis=1)
    return [each for each in (groups, *reversed(found)) if each.size]


def without_pairs(groups: list[Positions]) -> list[Positions]:
    """The same groups, but the rows of those of two are alone."""
    alone = [each.ravel() for each in groups if each.shape[1] <= PAIR]
    larger = [each for each in groups if each.shape[1] > PAIR]
    return [*larger, np.sort(np.concatenate(alone))[:, None]] if alone else larger


def _find_partners(holds: Mask, most_waste: float) -> Positions:
    """The number of the partner of each group, its own if it stays alone: who fits best comes first.

    `holds` are groups x height x summands.
    """
    partners = np.arange(holds.shape[0])
    for start in range(0, holds.shape[0], STRETCH):
        is_free = [True] * min(STRETCH, holds.shape[0] - start)
        for one, other in _candidates(holds[start : start + STRETCH], most_waste):
            if is_free[one] and is_free[other]:
                is_free[one] = is_free[other] = False
                partners[[start + one, start + other]] = start + other, start + one
    return partners


def _candidates(holds: Mask, most_waste: float) -> list[list[int]]:
    """Pairs of groups, those that waste least first, and among these those of neighbours."""
    together = np.asarray(holds.any(axis=1), np.float32)
    one, other = _pairs(holds.shape[0])
    lengths, needed = together.sum(axis=1), np.count_nonzero(holds, axis=(1, 2))
    joined = lengths[one] + lengths[other] - (together @ together.T)[one, other]
    waste = 2 * holds.shape[1] * joined / np.maximum(needed[one] + needed[other], 1)
    order = np.lexsort((one, other - one, waste))
    order = order[waste[order] <= most_waste]
    return np.stack((one[order], other[order]), axis=1).tolist()  # type: ignore[no-any-return]  # lists of two numbers


@cache
def _pairs(count: int) -> tuple[Positions, Positions]:
    """The numbers of all pairs of so many things."""
    return np.triu_indices(count, 1)
