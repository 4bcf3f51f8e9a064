"""Arrays that are copied to the device in the layout of an argument, used there, and copied back."""

from dataclasses import replace

import numpy as np
import pyopencl.array as cl_array
import pytest

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.arrays.transfers import to_host
from einsum_front.runtime.artifact import Artifact
from tests.runtime.kernels import DEVICE, POINTERS, constant, kernel, tensor, transposed

# C = 2 A for 2x3 matrices with columns 4 entries apart and elements 16, where `A` is zero in its first row
SOURCE = """
kernel void twice(global double const* A, long batch, global double* C, long batch_of_c) {
    for (int p = 0; p < 10; ++p) C[p + 16 * get_group_id(2)] = 2 * A[p + 16 * get_group_id(2)];
}
"""
SHAPE, STRIDES = (2, 3, None), (1, 4, 16)
A = replace(tensor("A", (2, 3), "r"), strides=STRIDES, nonzeros=((1, 2), (3, 4), (5, 6)))
C = replace(tensor("C", (2, 3), "rw"), strides=STRIDES)
TWICE = Artifact("twice", SOURCE, (A, C), (1, 1), 0, needs_fp64=True)


@pytest.mark.parametrize("batch", [0, 1, 7])
@pytest.mark.parametrize("order", ["C", "F"])
def test_what_is_copied_there_and_back_is_the_same(batch: int, order: str) -> None:
    given = np.array(np.random.default_rng(0).random((batch, 2, 3)), order=order)  # type: ignore[call-overload] # C or F
    on_device = kernel(TWICE).to_device("C", given)
    assert on_device.shape == (batch, 2, 3)
    assert batch == 0 or on_device.strides == (128, 8, 32)
    np.testing.assert_array_equal(to_host(on_device), given)


def test_a_kernel_runs_on_it() -> None:
    twice = kernel(TWICE)
    given = np.arange(1.0, 25.0).reshape(4, 2, 3)
    a, c = twice.to_device("A", given), twice.to_device("C", np.zeros((4, 2, 3)))
    launch = twice.prepare(A=a, C=c)
    launch.run()
    given[:, 0] = 0  # declared to be zero
    np.testing.assert_array_equal(to_host(c), 2 * given)
    np.testing.assert_array_equal(to_host(c[1:3]), 2 * given[1:3])


def test_arrays_that_pyopencl_made() -> None:
    given = np.arange(24.0).reshape(2, 3, 4)
    on_device = cl_array.to_device(DEVICE.queue, given)
    np.testing.assert_array_equal(to_host(on_device), given)
    np.testing.assert_array_equal(to_host(transposed(on_device, (2, 0, 1))), given.transpose(2, 0, 1))
    np.testing.assert_array_equal(to_host(on_device[1, :, ::2]), given[1, :, ::2])
    np.testing.assert_array_equal(to_host(on_device.with_queue(None)), given)
    assert to_host(cl_array.zeros(DEVICE.queue, (), np.float32)) == 0


def test_what_does_not_fit() -> None:
    artifact = replace(TWICE, parameters=(constant("A", (2, 3)), C))
    with pytest.raises(CompileError, match=r"E0502.*`twice` has no array argument `B`"):
        kernel(artifact).to_device("B", np.zeros(3))
    with pytest.raises(CompileError, match=r"E0505.*`A` has shape \(3,\), expected \(2, 3\)"):
        kernel(artifact).to_device("A", np.zeros(3))
    with pytest.raises(CompileError, match=r"E0504.*`C` has element type float32, expected float64"):
        kernel(artifact).to_device("C", np.zeros((1, 2, 3), np.float32))
    with pytest.raises(CompileError, match=r"E0503.*`P` is a group, which has no single array on a device"):
        kernel(POINTERS).to_device("P", np.zeros((1, 2, 3)))
    with pytest.raises(TypeError, match="to_host takes a pyopencl array, and this is of type list"):
        to_host([1.0])  # type: ignore[arg-type] # that is the test
