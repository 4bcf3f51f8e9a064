"""Let several take turns, so that what disturbs the machine disturbs all of them."""

from collections.abc import Mapping, Sequence
from statistics import median
from time import perf_counter, sleep
from typing import Protocol

from benchmarks.case import Arrays
from einsum_front.runtime.launches.timing import Timing

TURN_SECONDS = 0.02
LEAST_RUNS = 4
LONG_SECONDS = 0.5
BUDGET_SECONDS = 3.0
SWEEPS_SECONDS = 1e-3
PAUSE_SECONDS = 0.03
"""Threads of OpenMP and of BLAS spin for a while after their work and would slow down whoever is next."""


class Runner(Protocol):
    """A kernel on its arguments. Outputs that are added to grow from run to run."""

    def run(self) -> float:
        """Runs once over the whole batch; seconds by the runner's own clock."""

    def outputs(self) -> Arrays:
        """The outputs after the last run, as `numpy.einsum` would give them."""


def take_turns(runners: Mapping[str, Runner], turns: int) -> dict[str, Timing]:
    """The time of a run in each turn, by name.

    A turn is a run that is not counted, which fills the caches, and as many counted ones as fit, of which the median
    is taken. A runner that is slow leaves when its budget is spent, after one turn at least.
    """
    seconds: dict[str, list[float]] = {name: [] for name in runners}
    spent = dict.fromkeys(runners, 0.0)
    for _ in range(turns):
        for name, runner in runners.items():
            if spent[name] < BUDGET_SECONDS:
                sleep(PAUSE_SECONDS)
                runs = _turn(runner)
                spent[name] += sum(runs)
                seconds[name].append(median(runs[1:] or runs))
    return {name: Timing(tuple(each)) for name, each in seconds.items()}


def _turn(runner: Runner) -> Sequence[float]:
    """Seconds of every run of a turn, as the runner counts them; one that takes long is not repeated."""
    watch = Stopwatch()
    runs = [runner.run()]
    while watch.seconds < TURN_SECONDS or (len(runs) < LEAST_RUNS and watch.seconds < LONG_SECONDS):
        runs.append(runner.run())
    return runs


def sweeps(seconds: float) -> int:
    """How often a runner with threads of its own goes over the batch in a run, if going once takes so long.

    Waking the threads should not count; those of CPU drivers sleep between launches, unless the next is waiting.
    """
    return max(1, round(SWEEPS_SECONDS / seconds))


class Stopwatch:
    """Seconds since it was made, by the clock of the host."""

    def __init__(self) -> None:
        self._start = perf_counter()

    @property
    def seconds(self) -> float:
        """Seconds so far."""
        return perf_counter() - self._start
