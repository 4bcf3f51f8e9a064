"""What the choice of a schedule thinks of vectors along the rows, on devices with wider ones."""

from dataclasses import replace

import numpy as np
import pytest

from einsum_front.core.machines import ZEN4
from einsum_front.tl_backend.opencl.target import DEFAULT as AVX2
from einsum_front.tl_backend.opencl.target import Target
from einsum_front.tl_backend.program import Function
from einsum_front.tl_backend.schedules.choice import analyse, choose
from einsum_front.tl_backend.schedules.schedule import Reason
from einsum_front.tl_backend.schedules.tuning import ScheduleKind, Tuning
from tests.tl_backend.schedules.work_group.test_depths import product

TIMES = replace(ZEN4.work_group, in_vectors=0.5, two_steps=3.0, few_columns=16, cycle=2.0, waiting=7)
DEFAULT = replace(AVX2, machine=replace(ZEN4, work_group=TIMES))
WIDE = replace(DEFAULT, vector_bytes=64, native_vector_bytes=32, vector_registers=32)
"""Vectors of 64 bytes in two steps."""


def cost(function: Function, target: Target) -> float:
    """What an element takes in the schedule."""
    plan = analyse(function, target, Tuning(ScheduleKind.WORK_GROUP))
    assert not isinstance(plan, Reason)
    return plan.cost.time


def test_vectors_in_two_steps_take_longer_with_few_columns() -> None:
    dense = np.ones((16, 16), np.bool_)
    assert cost(product(dense, 9), WIDE) == 7 + 3.0 * 0.5 * 16 * 16 * 9
    assert cost(product(dense, 17), WIDE) == 7 + 0.5 * 16 * 16 * 17
    assert cost(product(dense, 9), DEFAULT) == 7 + 0.5 * 16 * 16 * 9


def test_cycles_of_wide_vectors_count_for_all_of_their_lanes() -> None:
    """A block of zeros: half of the depths have the first vector of eight rows, the others the second one."""
    holds = np.kron(np.eye(2, dtype=np.bool_), np.ones((8, 32), np.bool_))
    function = product(holds, 17)
    narrow, wide = (cost(function, target) - TIMES.waiting for target in (DEFAULT, WIDE))
    least = TIMES.cycle * 8 * (64 * 17 / 2)  # one vector at each of 64 depths, two multiplied in a cycle
    assert least <= wide <= 1.3 * least
    assert wide == pytest.approx(narrow, rel=0.2)


def test_more_registers_promise_nothing() -> None:
    function = product(np.tri(24, 24, dtype=np.bool_), 9)
    many = replace(DEFAULT, vector_registers=32)
    assert cost(function, many) == cost(function, DEFAULT)


def test_instructions_that_spread_constants_speak_for_lanes() -> None:
    holds = np.random.default_rng(3).random((10, 20)) < 0.72
    function = product(holds, 9)
    assert choose(function, AVX2).kind is ScheduleKind.WORK_GROUP
    assert choose(function, replace(AVX2, vector_registers=32)).kind is ScheduleKind.BATCH_SIMD
