"""Results of measuring the schedules of a kernel, and how the cache keeps them."""

from math import prod

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.runtime import Entry
from einsum_front.tl_backend import Recipe, ScheduleKind, Tuning, read_recipes, read_tuning

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

    `batches` are numbers of elements. There are none if there was nothing to compare. `form` is that of the kernel.
    `is_known` if the cache had it.
    """

    kernel: str
    device: str
    batches: tuple[int, ...]
    rows: tuple[Row, ...]
    form: str = ""
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
        "form": measurement.form,
        "batches": measurement.batches,
        "seconds": {_text(row.tuning): row.seconds for row in measurement.rows},
    }


def as_recipe(measurement: Measurement) -> Recipe:
    """What was taken, for all kernels of the form."""
    taken, kernel = measurement.taken, measurement.kernel
    by = "" if taken.recipe is not None else str(taken)
    lines = () if taken.recipe is None else taken.recipe.lines
    return Recipe(kernel, lines, measurement.device, measurement.form, by)


def as_tuning(recipe: Recipe) -> Tuning:
    """The schedule of a recipe; raises `CompileError` (E0304) if there is none of the name after `by`."""
    return read_tuning(recipe.by) if recipe.by else Tuning(ScheduleKind.LOOPS, recipe=recipe)


def _text(tuning: Tuning) -> str:
    """The schedule with its recipe."""
    return str(tuning) if tuning.recipe is None else str(tuning.recipe)


def _tuning(text: str) -> Tuning:
    if "{" not in text:
        return read_tuning(text)
    (recipe,) = read_recipes(Source("recipe", text)).recipes
    return Tuning(ScheduleKind.LOOPS, recipe=recipe)


def from_entry(entry: Entry) -> Measurement | None:
    """The measurement that the cache kept; None if the entry is not one."""
    match entry:
        case {
            "kernel": str(kernel), "device": str(device), "form": str(form), "batches": list(batches),
            "seconds": dict(seconds),
        }:  # fmt: skip
            try:
                rows = tuple(Row(_tuning(str(text)), _seconds(each)) for text, each in seconds.items())
            except (CompileError, ValueError):
                return None
            counts = tuple(count for count in batches if isinstance(count, int))
            is_whole = rows and counts and all(len(row.seconds) == len(batches) == len(counts) for row in rows)
            return Measurement(kernel, device, counts, rows, form, is_known=True) if is_whole else None
        case _:  # open: what a foreign or older file says is not used
            return None


def _seconds(numbers: object) -> tuple[float, ...]:
    """Positive numbers; raises `ValueError` for anything else."""
    if not isinstance(numbers, list) or not all(isinstance(number, float) and number > 0 for number in numbers):
        raise ValueError
    return tuple(numbers)
