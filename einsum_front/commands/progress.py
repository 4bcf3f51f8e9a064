"""Signs of life, notes and measurements on standard error, since the standard output is what was asked for."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from time import monotonic

from einsum_front.core.terminal import Sign, say
from einsum_front.driver import LevelValue, Observer
from einsum_front.driver.choice import Report
from einsum_front.driver.measurements import Measurement
from einsum_front.options import Level

PATIENCE = 0.5
"""Seconds that nobody minds to wait without a sign of life."""


@contextmanager
def reporting() -> Iterator[Report]:
    """Who hears of a translation what is tried."""
    signs = _Signs()
    try:
        yield Report(signs.measured, signs.note, signs.trying)
    finally:
        signs.sign.clear()


class _Signs:
    def __init__(self) -> None:
        self._began = monotonic()
        self.sign = Sign()

    def measured(self, measurement: Measurement) -> None:
        from einsum_front.commands.tuning import print_measurement  # noqa: PLC0415 - most commands measure nothing

        self.sign.clear()
        print_measurement(measurement, sys.stderr)

    def note(self, note: str) -> None:
        self.sign.clear()
        say(f"note: {note}", sys.stderr)

    def trying(self, what: str) -> None:
        if monotonic() - self._began > PATIENCE:
            self.sign.show(what)


def showing(report: Report, observe: Observer) -> Observer:
    """The observer, and a sign of life: which kernel is translated to what, and how many were before it."""
    seen: dict[str, None] = {}

    def show(kernel: str, step: Level | str, value: LevelValue) -> None:
        seen.setdefault(kernel)
        what = step.value if isinstance(step, Level) else step
        report.trying(f"kernel {len(seen)}, `{kernel}`: {what}")
        observe(kernel, step, value)

    return show
