"""What `benchmarks.weights` fits, and that what it prints is the machine."""

from dataclasses import replace

import numpy as np
import pytest

from benchmarks import weights
from benchmarks.fit import Sample, fit, predicted
from benchmarks.schedule_times import TIMES, with_times, work_of
from einsum_front.core import machine as types
from einsum_front.core.machines import ZEN4
from einsum_front.tl_backend.opencl.target import DEFAULT
from einsum_front.tl_backend.schedules.choice import schedule
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.schedules.work_group.test_depths import product


def test_times_are_found_again_although_a_sample_is_far_off() -> None:
    random = np.random.default_rng(0)
    times = np.array([2e-9, 5e-9, 0.0])
    work = random.random((40, 4)) * (1, 1, 1, 0)
    samples = [Sample(each.tolist(), float(each[:3] @ times)) for each in work]
    samples.append(Sample([1.0, 1.0, 1.0, 0.0], 1e-6))
    found = fit(samples)
    np.testing.assert_allclose(found[:3], times, rtol=1e-3, atol=1e-11)
    assert np.isnan(found[3])  # no sample does it
    np.testing.assert_allclose(predicted(samples, found.tolist())[:-1], 1, rtol=1e-3)


@pytest.mark.parametrize("kind", [ScheduleKind.WORK_GROUP, ScheduleKind.BATCH_SIMD])
def test_the_cost_of_a_schedule_is_a_sum_of_the_times(kind: ScheduleKind) -> None:
    function = product(np.tri(20, 20, dtype=np.bool_), 9)
    scheduled = schedule(function, DEFAULT, Tuning(kind))
    base, *work = work_of(scheduled, ZEN4) or []
    assert sum(work) > 0
    for seed in range(3):
        values = np.random.default_rng(seed).random(len(TIMES)).tolist()
        target = replace(DEFAULT, machine=with_times(ZEN4, values))
        cost = schedule(function, target, Tuning(kind)).plan.cost.time
        assert cost == pytest.approx(base + float(np.dot(work, values)))


def test_a_machine_is_printed_as_it_is_written() -> None:
    measured = with_times(ZEN4, [0.25] * len(TIMES))
    text = "\n".join(weights.literal(measured, ZEN4))
    assert eval(text, vars(types)) == measured
    lines = [line.strip() for line in text.splitlines()]
    assert "in_vectors=0.25," in lines
    assert "depth=256,  # as before" in lines


def test_caches_are_those_that_linux_says() -> None:
    memory = weights.read_memory(ZEN4.memory)
    assert memory.lines.unit in {32, 64, 128, 256}
    assert memory.lines.bytes < memory.second
