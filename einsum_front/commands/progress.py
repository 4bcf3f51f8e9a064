"""Signs of life, notes and measurements on standard error, since the standard output is what was asked for."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING

from einsum_front.driver import LevelValue, Observer
from einsum_front.driver.choice import Report
from einsum_front.driver.measurements import Measurement
from einsum_front.options import Level

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status

PATIENCE = 0.5
"""Seconds that nobody minds to wait without a sign of life."""

FILE_WIDTH = 200
"""Columns of a table that goes into a pipe or a file."""


@contextmanager
def reporting() -> Iterator[Report]:
    """Who hears of a translation what is tried; rich, which shows it, is loaded when there is something to show."""
    signs = _Signs()
    try:
        yield Report(signs.measured, signs.note, signs.trying)
    finally:
        signs.stop()


class _Signs:
    def __init__(self) -> None:
        self._began = monotonic()

    @cached_property
    def _console(self) -> "Console":
        from rich.console import Console  # noqa: PLC0415 - most commands end before they say anything

        console = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
        if not console.is_terminal:
            console.width = FILE_WIDTH
        return console

    @cached_property
    def _status(self) -> "Status":
        return self._console.status("")

    def measured(self, measurement: Measurement) -> None:
        from einsum_front.commands.tuning import print_measurement  # noqa: PLC0415 - as above

        print_measurement(measurement, self._console)

    def note(self, note: str) -> None:
        self._console.print(f"note: {note}", markup=False)

    def trying(self, what: str) -> None:
        if monotonic() - self._began > PATIENCE and self._console.is_terminal:
            from rich.markup import escape  # noqa: PLC0415 - as above

            self._status.update(escape(what))
            self._status.start()

    def stop(self) -> None:
        if "_status" in vars(self):
            self._status.stop()


def showing(report: Report, observe: Observer) -> Observer:
    """The observer, and a sign of life: which kernel is translated to what, and how many were before it."""
    seen: dict[str, None] = {}

    def show(kernel: str, step: Level | str, value: LevelValue) -> None:
        seen.setdefault(kernel)
        what = step.value if isinstance(step, Level) else step
        report.trying(f"kernel {len(seen)}, `{kernel}`: {what}")
        observe(kernel, step, value)

    return show
