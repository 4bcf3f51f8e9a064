"""Times by the clock of the device."""

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest

from diagnostics import CompileError
from runtime.timing import Timing, measure
from tests.runtime.kernels import DEVICE, FILL, kernel


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
