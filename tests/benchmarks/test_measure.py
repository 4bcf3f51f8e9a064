"""Taking turns."""

import pytest

from benchmarks import measure
from benchmarks.case import Arrays
from benchmarks.measure import take_turns


class Clock:
    """The clock of the host, which runners move on."""

    now = 0.0

    @property
    def seconds(self) -> float:
        return self.now - self._start

    def __init__(self) -> None:
        self._start = self.now


@pytest.fixture(autouse=True)
def _own_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clock, "now", 0.0)
    monkeypatch.setattr(measure, "Stopwatch", Clock)


class Recorded:
    """Takes the seconds that it is told, and writes down when."""

    def __init__(self, name: str, seconds: list[float], log: list[str]) -> None:
        self._name = name
        self._seconds = iter(seconds)
        self._log = log

    def run(self) -> float:
        self._log.append(self._name)
        seconds = next(self._seconds)
        Clock.now += seconds
        return seconds

    def outputs(self) -> Arrays:
        return {}


def test_runners_alternate_and_the_first_run_of_a_turn_does_not_count(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "LEAST_RUNS", 3)
    log: list[str] = []
    fast = Recorded("fast", [90.0e-3, 1e-3, 3e-3] * 2, log)
    slow = Recorded("slow", [70.0e-3, 5e-3, 5e-3] * 2, log)
    timings = take_turns({"fast": fast, "slow": slow}, turns=2)
    assert "".join(name[0] for name in log) == "fffsssfffsss"
    assert timings["fast"].seconds == (2e-3, 2e-3)
    assert timings["slow"].median == 5e-3


def test_turns_last_long_enough_for_the_clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "TURN_SECONDS", 0.5)
    log: list[str] = []
    take_turns({"a": Recorded("a", [0.1] * 10, log)}, turns=1)
    assert len(log) == 5


def test_a_turn_ends_by_the_clock_of_the_host_whatever_runners_count(monkeypatch: pytest.MonkeyPatch) -> None:
    """A runner may count the seconds of one of a thousand calls."""
    monkeypatch.setattr(measure, "TURN_SECONDS", 0.5)
    log: list[str] = []
    runner = Recorded("a", [0.1] * 10, log)
    run = runner.run
    monkeypatch.setattr(runner, "run", lambda: run() / 1000)
    assert take_turns({"a": runner}, turns=1)["a"].median == pytest.approx(1e-4)
    assert len(log) == 5


def test_who_is_slow_runs_once_and_leaves_when_the_budget_is_spent() -> None:
    log: list[str] = []
    runners = {"slow": Recorded("slow", [measure.BUDGET_SECONDS], log), "fast": Recorded("fast", [1e-3] * 6, log)}
    timings = take_turns(runners, turns=3)
    assert timings["slow"].seconds == (measure.BUDGET_SECONDS,)
    assert len(timings["fast"].seconds) == 3
