"""Benchmarks without waiting: turns of a few runs, no pauses."""

import pytest

from benchmarks import measure, peaks


@pytest.fixture(autouse=True)
def _short_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "TURN_SECONDS", 0.0)
    monkeypatch.setattr(measure, "PAUSE_SECONDS", 0.0)
    monkeypatch.setattr(measure, "LEAST_RUNS", 2)
    monkeypatch.setattr(peaks, "LEAST_SECONDS", 0.0)
