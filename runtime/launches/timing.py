"""How long a launch takes, by the clock of the device."""

from collections.abc import Sequence
from math import inf
from statistics import median, quantiles

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.devices.opencl import driver_errors
from einsum_front.runtime.launches.engine import Launch


@dataclass(frozen=True, slots=True)
class Timing:
    """Seconds on the device for each run, in the order of the runs; transfers and launch overhead are not in them."""

    seconds: tuple[float, ...]

    @property
    def median(self) -> float:
        """The middle one: half of the runs took longer."""
        return median(self.seconds)

    @property
    def minimum(self) -> float:
        """The fastest: what the machine can do when nothing disturbs it."""
        return min(self.seconds)

    @property
    def spread(self) -> float:
        """Distance of the quartiles over the median: a machine that is busy otherwise shows here."""
        if len(self.seconds) < 2:
            return 0.0
        lower, _, upper = quantiles(self.seconds, n=4)
        return (upper - lower) / self.median


LEAST_RUNS, TURN_SECONDS, LONG_SECONDS = 3, 0.01, 0.2
"""Runs in a turn, if they do not take so long in all; more, until the turn has taken so long."""

RUN_SECONDS, MOST_LAUNCHES = 1e-3, 50
"""A run has as many launches as take so long: threads that sleep between launches must wake up for each."""

HOPELESS, TRIALS, TOO_SLOW = 3.0, 3, 1.25
"""What takes `HOPELESS` times as long as the fastest has no second turn, and `TOO_SLOW` times no more than `TRIALS`."""


def measure(launch: Launch, runs: int = 20, warm_up: int = 2) -> Timing:
    """Run a launch repeatedly, each run on the results of the one before, and wait for the last.

    The first `warm_up` runs are not counted: drivers finish compiling in them, and caches fill. Raises CompileError if
    the queue has no clock, as one that the caller made without PROFILING_ENABLE.
    """
    with launch.timed():
        for _ in range(warm_up):
            launch.run()
        return Timing(tuple(_seconds(launch) for _ in range(runs)))


def measure_in_turns(launches: Sequence[Launch], turns: int) -> tuple[Timing, ...]:
    """The seconds of a run of each launch in each turn: what disturbs the machine disturbs all of them.

    A turn is a launch that is not counted, which fills the caches, and runs of one or more launches, of which the
    median is taken. Those that are clearly slower than the fastest have few turns. Errors as in `measure`.
    """
    seconds: list[list[float]] = [[] for _ in launches]
    for turn in range(turns):
        limit = (HOPELESS if turn < TRIALS else TOO_SLOW) * min(map(median, seconds)) if turn else inf
        for launch, mine in zip(launches, seconds, strict=True):
            if not mine or median(mine) <= limit:
                mine.append(_turn(launch))
    return tuple(Timing(tuple(each)) for each in seconds)


def _turn(launch: Launch) -> float:
    with launch.timed():
        return _timed_turn(launch)


def _timed_turn(launch: Launch) -> float:
    first = _seconds(launch)
    launches = max(1, min(MOST_LAUNCHES, round(RUN_SECONDS / first))) if first > 0 else MOST_LAUNCHES
    runs: list[float] = []
    while first + launches * sum(runs) < (LONG_SECONDS if len(runs) < LEAST_RUNS else TURN_SECONDS):
        runs.append(_seconds(launch, launches))
    return median(runs or [first])


def _seconds(launch: Launch, launches: int = 1) -> float:
    """A run of so many launches, waited for: the seconds of one."""
    events = [event for _ in range(launches) for event in launch.run()]
    launch.wait()
    with driver_errors("E0610", "the queue of the arguments has no clock"):
        return float(sum(event.profile.end - event.profile.start for event in events) * 1e-9 / launches)
