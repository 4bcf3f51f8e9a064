"""How long a launch takes, by the clock of the device."""

from dataclasses import dataclass
from statistics import median, quantiles

from runtime.bound import Launch
from runtime.errors import driver_errors


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


def measure(launch: Launch, runs: int = 20, warm_up: int = 2) -> Timing:
    """Run a launch repeatedly, each run on the results of the one before, and wait for the last.

    The first `warm_up` runs are not counted: drivers finish compiling in them, and caches fill. Raises CompileError if
    the queue has no clock, as one that the caller made without PROFILING_ENABLE.
    """
    for _ in range(warm_up):
        launch.run()
    seconds = []
    for _ in range(runs):
        events = launch.run()
        launch.queue.finish()
        with driver_errors("E0610", "the queue of the arguments has no clock"):
            seconds.append(sum(event.profile.end - event.profile.start for event in events) * 1e-9)
    return Timing(tuple(seconds))
