"""What is left when a launch fails or is interrupted."""

from dataclasses import replace
from typing import Any, Literal

import numpy as np
import pyopencl as cl
import pytest
from numpy.typing import NDArray

from tests.runtime.kernels import DEVICE, FILL, NAME, VOLUME, kernel, words

WRONG = replace(
    VOLUME,
    source=VOLUME.source.replace("(4, 1, 1)", "(2, 1, 1)").replace("volume", "wrong"),
    entry="wrong",
    name="wrong",
)
"""Its source requires another size of work-groups than the launch has, so the driver refuses it."""

GROUPS = min(100_000, DEVICE.facts.driver.max_groups or 100_000)
"""Work-groups that take a while, as many as one launch can have."""


def arguments(batch: int, order: Literal["C", "F"]) -> dict[str, NDArray[np.float64]]:
    shapes = {"K": (4, 5), "I": (batch, 5, 3), "Q": (batch, 4, 3)}
    return {name: np.ones(shape, order=order) for name, shape in shapes.items()}


@pytest.mark.parametrize("shares", [True, False])
def test_refused_by_the_driver(shares: bool) -> None:
    given = arguments(2, "C")
    text = words(kernel(WRONG, shares_host_memory=shares and DEVICE.facts.shares_host_memory), dt=1.0, **given)
    assert (
        text
        == f"""\
error[E0608]: `wrong` cannot be launched on `{NAME}`: clEnqueueNDRangeKernel failed: INVALID_WORK_GROUP_SIZE
  = note: no output has changed"""
    )
    assert (given["Q"] == 1.0).all()


@pytest.mark.parametrize("shares", [True, False])
def test_refused_after_a_part_of_the_batch(shares: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    given = arguments(8, "C")
    enqueue, calls = cl.enqueue_nd_range_kernel, []

    def once(
        queue: cl.CommandQueue, called: cl.Kernel, size: tuple[int, ...], of_group: tuple[int, ...], **_after: object
    ) -> cl.Event:
        calls.append(size)
        return enqueue(queue, called, *((size, of_group) if len(calls) == 1 else ((3, 1, 1), (2, 1, 1))))

    monkeypatch.setattr(cl, "enqueue_nd_range_kernel", once)
    driver = replace(DEVICE.facts.driver, max_groups=6)
    there = kernel(VOLUME, driver=driver, shares_host_memory=shares and DEVICE.facts.shares_host_memory)
    text = words(there, dt=1.0, **given)
    assert (
        text
        == f"""\
error[E0608]: `volume` cannot be launched on `{NAME}`: clEnqueueNDRangeKernel failed: INVALID_WORK_GROUP_SIZE
  = note: the contents of `Q` are lost"""
    )
    assert (given["I"] == 1.0).all()


def test_interrupted(monkeypatch: pytest.MonkeyPatch) -> None:
    """The device has come to rest when the interrupt arrives at the caller, and works as before."""
    target = np.zeros(GROUPS)
    events: list[cl.Event] = []
    enqueue = cl.enqueue_nd_range_kernel

    def interrupted(*args: Any, **keywords: Any) -> cl.Event:
        events.append(enqueue(*args, **keywords))
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(cl, "enqueue_nd_range_kernel", interrupted)
        with pytest.raises(KeyboardInterrupt):
            kernel(FILL)(target.size, first=0, C=target)
    assert events[0].command_execution_status == cl.command_execution_status.COMPLETE
    kernel(FILL)(target.size, first=1, C=target)
    np.testing.assert_array_equal(target, np.arange(1, target.size + 1))


def test_dropped_while_it_runs() -> None:
    """The memory of the arguments outlives the last run although nobody waits for it."""
    for _ in range(20):
        launch = kernel(FILL).prepare(GROUPS, first=0, C=np.zeros(GROUPS))
        (event,) = launch.run()
        del launch
        assert event.command_execution_status == cl.command_execution_status.COMPLETE
