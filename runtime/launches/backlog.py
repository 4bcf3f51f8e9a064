"""How far the host may be ahead of the device.

A queue takes as many launches as the host can make. Who interrupts the program waits for all of them, and each needs
memory. So every few launches the host waits for those of the turn before: the device always has a turn to do, and at
most two are ahead of it. A turn is as many launches as take a twentieth of a second, so that waiting, which lets
threads sleep and wakes them up, costs nothing against them.
"""

from collections.abc import Callable, Sequence
from time import perf_counter

from einsum_front.runtime.devices.opencl import cl

TURN_SECONDS = 0.05
"""The time that a turn should take: an interrupt waits for two or three of them."""

MOST_LAUNCHES = 1024
"""A turn has no more, however short they are: what is queued takes memory."""


class Backlog:
    """The launches that the device may have not done yet."""

    def __init__(self, clock: Callable[[], float] = perf_counter) -> None:
        self._clock = clock
        self._launches = 1
        self.clear()

    def clear(self) -> None:
        """All are done."""
        self._count = 0
        self._since: float | None = None
        self._before: Sequence[cl.Event] = ()
        self._last: Sequence[cl.Event] = ()

    def add(self, events: Sequence[cl.Event]) -> bool:
        """One launch more, with these events; whether it ends a turn, and it is time to `wait`."""
        self._last = events
        self._count += 1
        return self._count >= self._launches

    def wait(self) -> None:
        """Waits for the turn before this one; raises `cl.Error` if that failed."""
        if self._before:
            cl.wait_for_events(self._before)
        now = self._clock()
        if self._since is not None:
            self._launches = _fitting(self._launches, now - self._since)
        self._since, self._before, self._count = now, self._last, 0


def _fitting(launches: int, seconds: float) -> int:
    """The launches of the next turn, if one of so many took so long; it grows by steps: the first ones do not wait."""
    wanted = round(launches * TURN_SECONDS / seconds) if seconds > 0 else MOST_LAUNCHES
    return max(1, min(wanted, 2 * launches, MOST_LAUNCHES))
