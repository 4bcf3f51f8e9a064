"""Results of measuring the schedules of a kernel, and how the cache keeps them."""

from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime import Entry
from einsum_front.tl_backend import Tuning, read_tuning

WORTH = 0.97
"""A candidate that takes more than this part of the model's time is not worth another choice: clocks are not exact."""


@dataclass(frozen=True, slots=True)
class Row:
    """A candidate, and the seconds that an element takes in each of the batches that were measured."""

    tuning: Tuning
    seconds: tuple[float, ...]


@dataclass(frozen=True, slots=True)
class Measurement:
    """All candidates for a kernel that it can have, on a device; the model's choice stands first.

    `batches` are numbers of elements. There are none if there was nothing to compare. `is_known` if the cache had it.
    """

    kernel: str
    device: str
    batches: tuple[int, ...]
    rows: tuple[Row, ...]
    is_known: bool = False

    def relative(self, row: Row) -> float:
        """The time of a candidate over that of the model's choice: the geometric mean over the batches."""
        ratios = [mine / first for mine, first in zip(row.seconds, self.rows[0].seconds, strict=True)]
        return float(prod(ratios) ** (1 / max(1, len(ratios))))

    @property
    def taken(self) -> Tuning:
        """The fastest, or the model's choice if that is hardly slower."""
        best = min(self.rows, key=self.relative)
        return best.tuning if self.relative(best) < WORTH else self.rows[0].tuning

    @property
    def reason(self) -> str:
        """Why this schedule was taken, for the first line of the source."""
        if not self.batches:
            return "there is nothing to compare it with"
        return f"chosen from {len(self.rows)} by measurement{', says the cache' if self.is_known else ''}"


def as_entry(measurement: Measurement) -> Entry:
    """The measurement for the cache."""
    return {
        "kernel": measurement.kernel,
        "device": measurement.device,
        "batches": measurement.batches,
        "seconds": {str(row.tuning): row.seconds for row in measurement.rows},
    }


def from_entry(entry: Entry) -> Measurement | None:
    """The measurement that the cache kept; None if the entry is not one."""
    match entry:
        case {"kernel": str(kernel), "device": str(device), "batches": list(batches), "seconds": dict(seconds)}:
            try:
                rows = tuple(Row(read_tuning(str(text)), _seconds(each)) for text, each in seconds.items())
            except (CompileError, ValueError):
                return None
            counts = tuple(count for count in batches if isinstance(count, int))
            is_whole = rows and counts and all(len(row.seconds) == len(batches) == len(counts) for row in rows)
            return Measurement(kernel, device, counts, rows, is_known=True) if is_whole else None
        case _:  # open: what a foreign or older file says is not used
            return None


def _seconds(numbers: object) -> tuple[float, ...]:
    """Positive numbers; raises `ValueError` for anything else."""
    if not isinstance(numbers, list) or not all(isinstance(number, float) and number > 0 for number in numbers):
        raise ValueError
    return tuple(numbers)
