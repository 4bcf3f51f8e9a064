"""Least absolute deviations, relative to what was measured, of a sum of things that take no negative time."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ROUNDS, LEAST_DEVIATION = 30, 0.02
"""Times that the deviations become weights, and the deviation from which on they are told apart."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """What ran: how often it does each thing, and the seconds that it took."""

    work: Sequence[float]
    seconds: float


def fit(samples: Sequence[Sample]) -> Numbers:
    """The seconds of each thing; `nan` for what no sample does."""
    seconds = np.array([each.seconds for each in samples])
    shares = np.array([each.work for each in samples]) / seconds[:, np.newaxis]
    weights = np.ones(len(samples))
    for _ in range(ROUNDS):
        found = _not_negative(shares * weights[:, np.newaxis], weights)
        deviations = np.abs(shares @ found - 1)
        weights = 1 / np.sqrt(np.maximum(deviations, LEAST_DEVIATION))
    return np.where(shares.any(axis=0), found, np.nan)


def _not_negative(matrix: Numbers, target: Numbers) -> Numbers:
    """Least squares, where what would be negative is zero."""
    columns = [column for column in range(matrix.shape[1]) if matrix[:, column].any()]
    while True:
        found = np.zeros(matrix.shape[1])
        found[columns] = np.linalg.lstsq(matrix[:, columns], target)[0]
        if found.min() >= 0:
            return found
        columns.remove(int(found.argmin()))


def predicted(samples: Sequence[Sample], seconds: Sequence[float]) -> Numbers:
    """Predictions over what was measured, if each thing takes so many seconds."""
    work = np.array([each.work for each in samples])
    known: Numbers = work @ np.nan_to_num(np.array(seconds)) / np.array([each.seconds for each in samples])
    return known
