"""The host is not far ahead of the device: an interrupt does not wait for all that was ever asked for."""

import signal
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import pyopencl as cl
import pytest

from einsum_front.runtime.artifact import ScalarParameter
from einsum_front.runtime.launches.backlog import MOST_LAUNCHES, TURN_SECONDS, Backlog
from einsum_front.runtime.launches.timing import measure
from tests.runtime.kernels import VOLUME, constant, kernel

SLOW = replace(
    VOLUME,
    name="slow",
    entry="slow",
    source="""
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void slow(long steps, global double* C, long size_C) {
  for (long step = 0; step < steps; ++step) C[step % size_C] += 0.5 * C[(step + 1) % size_C];
}
""",
    parameters=(ScalarParameter("steps", "index"), constant("C", (None,), "rw")),
    work_group_size=(1, 1),
)
"""Takes as long as it is told to."""

RUNS = 40


def is_waiting(event: cl.Event) -> bool:
    return bool(event.command_execution_status != cl.command_execution_status.COMPLETE)


@pytest.fixture
def interrupts() -> Iterator[None]:
    """Interrupts raise, also where pytest was started in the background of a shell, which has them ignored."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("interrupts")
def test_an_interrupt_waits_for_few_launches() -> None:
    """Each takes half a turn, so two or three of `RUNS` are left when the interrupt comes, and none behind it."""
    slow = kernel(SLOW)
    steps = 1 << 20
    seconds = measure(slow.prepare(steps=steps, C=np.ones(512)), runs=3).median
    launch = slow.prepare(steps=max(1, int(steps * TURN_SECONDS / 2 / seconds)), C=np.ones(512))
    events: list[cl.Event] = []
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012 - the loop of a user
        for number in range(RUNS):
            events += launch.run()
            if number == RUNS - 1:
                left = sum(map(is_waiting, events))
                signal.raise_signal(signal.SIGINT)
    launch.finish()
    assert left < RUNS / 3
    assert not any(map(is_waiting, events))


def test_results_of_many_launches() -> None:
    """As many as several turns of the greatest size have; what a turn is changes on the way."""
    C = np.zeros((1, 4, 3))
    K, unit = np.zeros((4, 5)), np.zeros((1, 5, 3))
    K[0, 0] = unit[0, 0, 0] = 1
    launch = kernel(VOLUME).prepare(dt=0.5, K=K, I=unit, Q=C)
    for _ in range(2):
        for _ in range(3 * MOST_LAUNCHES):
            launch.run()
        launch.finish()
    assert C[0, 0, 0] == 3 * MOST_LAUNCHES


class TestTurns:
    """With a clock and a device of the test's own: launches that all take the same time."""

    @pytest.fixture(autouse=True)
    def _device(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now = self.free = 0.0
        self.done: list[float] = []
        monkeypatch.setattr(cl, "wait_for_events", self.wait)

    def wait(self, events: tuple[int]) -> None:
        self.now = max(self.now, self.done[events[0]])

    def ahead(self, runs: int, seconds: float) -> int:
        """The most launches that are not done when another was started, if starting one takes no time."""
        waiting, most = Backlog(lambda: self.now), 0
        for number in range(runs):
            self.free = max(self.free, self.now) + seconds
            self.done.append(self.free)
            if waiting.add((number,)):  # type: ignore[arg-type] # the device of the test
                waiting.wait()
            most = max(most, sum(end > self.now for end in self.done[-4 * MOST_LAUNCHES :]))
        return most

    @pytest.mark.parametrize("seconds", [1.0, 0.05, 0.01, 1e-3, 1e-9])
    def test_few_are_ahead(self, seconds: float) -> None:
        assert 1 <= self.ahead(3000, seconds) <= min(max(3, 4 * TURN_SECONDS / seconds), 2 * MOST_LAUNCHES)

    def test_the_device_never_waits(self) -> None:
        self.ahead(1000, 0.01)
        np.testing.assert_allclose(self.done, 0.01 * np.arange(1, 1001))
