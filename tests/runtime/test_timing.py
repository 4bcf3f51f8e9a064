"""Times by the clock of the device."""

from contextlib import AbstractContextManager, nullcontext
from types import SimpleNamespace
from typing import cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.launches.bound import Launch
from einsum_front.runtime.launches.timing import (
    LEAST_RUNS,
    LONG_SECONDS,
    MOST_LAUNCHES,
    TRIALS,
    Timing,
    measure,
    measure_in_turns,
)
from tests.runtime.kernels import DEVICE, FILL, kernel


def test_runs_have_a_clock_only_where_times_are_asked_for() -> None:
    plain = DEVICE.queue
    profiling = cl.command_queue_properties.PROFILING_ENABLE
    target = np.zeros(3)
    launch = kernel(FILL).prepare(3, first=1, C=target)
    assert isinstance(launch, Launch)
    assert not plain.properties & profiling or "Oclgrind" in DEVICE.facts.driver.name
    with launch.timed():
        assert launch.queue.properties & profiling
        (event,) = launch.run()
        launch.finish()
        assert event.profile.end >= event.profile.start
        assert (target == [1, 2, 3]).all()
        target[...] = 0
        launch.run()
    assert launch.queue == plain
    launch.finish()
    assert (target == [1, 2, 3]).all()


def test_a_callers_queue_is_kept_for_times() -> None:
    own = cl.CommandQueue(DEVICE.context, DEVICE.handle, cl.command_queue_properties.PROFILING_ENABLE)
    launch = kernel(FILL).prepare(3, first=1, C=cl_array.zeros(own, 3, np.float64))
    assert isinstance(launch, Launch)
    with launch.timed():
        assert launch.queue == own


def test_every_run_has_a_time() -> None:
    target = np.zeros(3)
    timing = measure(kernel(FILL).prepare(3, first=1, C=target), runs=5)
    assert len(timing.seconds) == 5
    assert all(seconds > 0 for seconds in timing.seconds)


def test_what_is_told_of_them() -> None:
    timing = Timing((4.0, 1.0, 2.0, 3.0, 5.0))
    assert (timing.median, timing.minimum) == (3.0, 1.0)
    assert timing.spread == pytest.approx(1.0)
    assert Timing((2.0,)).spread == 0.0


@pytest.mark.skipif("Oclgrind" in DEVICE.facts.driver.name, reason="all its queues have a clock")
def test_a_queue_without_a_clock() -> None:
    target = cl_array.zeros(cl.CommandQueue(DEVICE.context), 3, np.float64)
    with pytest.raises(CompileError, match=r"error\[E0610\]: the queue of the arguments has no clock: "):
        measure(kernel(FILL).prepare(3, first=1, C=target), runs=1)


class Clock:
    """A launch that says itself how long it takes, and counts its runs."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.runs = 0

    def run(self) -> tuple[SimpleNamespace, ...]:
        self.runs += 1
        return (SimpleNamespace(profile=SimpleNamespace(start=0, end=round(self.seconds * 1e9))),)

    def wait(self) -> None:
        """Nothing is in the queue."""

    def timed(self) -> AbstractContextManager[None]:
        """It always has a clock."""
        return nullcontext()


def test_launches_take_turns_and_slow_ones_leave() -> None:
    clocks = [Clock(1e-6), Clock(1.2e-6), Clock(2e-6), Clock(4e-6)]
    timings = measure_in_turns(cast("list[Launch]", clocks), turns=TRIALS + 2)
    assert [len(timing.seconds) for timing in timings] == [TRIALS + 2, TRIALS + 2, TRIALS, 1]
    assert [timing.median for timing in timings] == pytest.approx([1e-6, 1.2e-6, 2e-6, 4e-6])
    assert all(clock.runs > LEAST_RUNS * MOST_LAUNCHES for clock in clocks)


def test_long_launches_run_rarely() -> None:
    for seconds, runs in ((LONG_SECONDS, 1), (LONG_SECONDS / LEAST_RUNS, LEAST_RUNS), (0.002, 5), (0.0004, 25)):
        clock = Clock(seconds)
        measure_in_turns(cast("list[Launch]", [clock]), turns=1)
        assert clock.runs == runs
