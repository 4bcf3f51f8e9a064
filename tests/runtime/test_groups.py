"""Tensors behind pointers: separately allocated, of different sizes, in any layout."""

from dataclasses import replace
from typing import Literal

import numpy as np
import pytest
from numpy.typing import NDArray

from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.facts import SharedMemory
from einsum_front.runtime.launches.launch import Kernel
from tests.runtime.kernels import DEVICE, POINTERS, group, kernel

Order = Literal["C", "F"]
OFFERED = DEVICE.facts.shared_memory
ANY_POINTER = pytest.mark.skipif(
    OFFERED is not SharedMemory.ALL, reason="the device cannot follow every pointer of the process"
)
pytestmark = pytest.mark.skipif(OFFERED is SharedMemory.NONE, reason="the device cannot follow pointers")


@pytest.fixture(
    params=[
        pytest.param(SharedMemory.ALL, marks=ANY_POINTER),
        SharedMemory.ALLOCATED,
    ],
    ids=lambda memory: memory.value,
)
def add(request: pytest.FixtureRequest) -> Kernel:
    return kernel(POINTERS, shared_memory=request.param)


def members(count: int, order: Order = "F") -> list[NDArray[np.float64]]:
    """Matrices of 2 rows and 0 to 3 columns, each allocated alone."""
    return [np.full((2, i % 4), float(i), order=order) for i in range(count)]


@pytest.mark.parametrize("order", ["F", "C"])
def test_a_thousand_matrices(add: Kernel, order: Order) -> None:
    matrices, rows = members(1000, order), np.arange(2000.0).reshape(1000, 2)
    want = [matrix + row[:, np.newaxis] for matrix, row in zip(matrices, rows, strict=True)]
    add(P=matrices, R=list(rows))
    for matrix, right in zip(matrices, want, strict=True):
        np.testing.assert_array_equal(matrix, right)


@pytest.mark.parametrize("order", ["F", "C"])
def test_a_prepared_launch_sees_what_is_written_between_its_runs(add: Kernel, order: Order) -> None:
    matrices, rows = members(9, order), np.ones((9, 2))
    launch = add.prepare(P=matrices, R=list(rows))
    for number in (1, 2):
        for matrix in matrices:
            matrix[...] = 10 * number
        rows[...] = number
        launch.run()
        launch.finish()
        for matrix in matrices:
            np.testing.assert_array_equal(matrix, np.full_like(matrix, 11 * number))


def test_one_array_for_all_members(add: Kernel) -> None:
    matrices, rows = np.zeros((5, 2, 3)), np.arange(10.0).reshape(5, 2)
    add(P=matrices, R=rows)
    np.testing.assert_array_equal(matrices, rows[:, :, np.newaxis] + np.zeros(3))


def test_an_input_may_occur_twice(add: Kernel) -> None:
    matrices, row = np.zeros((2, 2, 1)), np.array([1.0, 2.0])
    add(P=matrices, R=[row, row])
    np.testing.assert_array_equal(matrices[:, :, 0], [row, row])


@pytest.mark.parametrize("none", [[], (), np.zeros((0, 2, 3))], ids=["list", "tuple", "array"])
def test_no_members(add: Kernel, none: object) -> None:
    add(P=none, R=[])


def test_zero_entries_are_left_alone(add: Kernel) -> None:
    parameters = (group("P", (2, None), "rw", offset=None, nonzeros=((1, 2), (3, 4))), POINTERS.parameters[1])
    masked = Kernel(replace(POINTERS, parameters=parameters), add.device)
    matrices = [np.full((2, 2), -7.0) for _ in range(3)]
    masked(P=matrices, R=np.ones((3, 2)))
    for matrix in matrices:
        np.testing.assert_array_equal(matrix, [[-7.0, -7.0], [-6.0, -6.0]])


def test_members_of_order_zero(add: Kernel) -> None:
    source = """
kernel void count(global ulong const* p) { *(global double*)p[get_group_id(2)] += (double)get_group_id(2); }
"""
    artifact = Artifact("count", source, (group("p", (), "rw"),), (1, 1), 0, needs_fp64=True)
    numbers = np.zeros(4)
    Kernel(artifact, add.device)(p=numbers)
    np.testing.assert_array_equal(numbers, [0, 1, 2, 3])


def test_too_many_for_one_allocation(add: Kernel) -> None:
    limited = Kernel(POINTERS, replace(add.device, facts=replace(add.device.facts, max_allocation=1000)))
    matrices, rows = members(50), np.arange(100.0).reshape(50, 2)
    want = [matrix + row[:, np.newaxis] for matrix, row in zip(matrices, rows, strict=True)]
    limited(P=matrices, R=rows)
    for matrix, right in zip(matrices, want, strict=True):
        np.testing.assert_array_equal(matrix, right)
