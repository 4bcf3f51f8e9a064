"""Arguments whose values are known when compiling may be left out; given, they must have these values."""

from dataclasses import replace

import numpy as np
import pyopencl.array as cl_array
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.runtime.arrays.arguments import known_array
from einsum_front.runtime.arrays.layout import layout_in_place
from einsum_front.runtime.artifact import TensorParameter
from tests.runtime.kernels import DEVICE, VOLUME, constant, kernel

NUMBERS = tuple(number / 8 for number in range(20))
K = np.reshape(NUMBERS, (4, 5), order="F")
KNOWN = replace(
    VOLUME, parameters=(VOLUME.parameters[0], constant("K", (4, 5), values=NUMBERS), *VOLUME.parameters[2:])
)


@pytest.mark.parametrize("batch", [0, 1, 3])
def test_the_argument_may_be_left_out(batch: int) -> None:
    source, result = np.random.default_rng(batch).random((batch, 5, 3)), np.zeros((batch, 4, 3))
    kernel(KNOWN)(dt=2.0, I=source, Q=result)
    np.testing.assert_allclose(result, 2 * K @ source, rtol=1e-15)


def test_the_argument_may_be_given() -> None:
    source, result = np.random.default_rng(0).random((2, 5, 3)), np.zeros((2, 4, 3))
    called = kernel(KNOWN)
    for array in (K, np.ascontiguousarray(K), cl_array.to_device(DEVICE.queue, K.T.copy()).T):
        called(dt=1.0, I=source, Q=result, K=array)
    np.testing.assert_allclose(result, 3 * K @ source, rtol=1e-14)


def test_a_prepared_launch_keeps_the_values() -> None:
    source, result = np.random.default_rng(0).random((2, 5, 3)), np.zeros((2, 4, 3))
    launch = kernel(KNOWN).prepare(dt=1.0, I=source, Q=result)
    launch.run()
    launch.run()
    launch.finish()
    np.testing.assert_allclose(result, 2 * K @ source, rtol=1e-14)


def test_a_batch_in_parts_has_the_values_in_each() -> None:
    source, result = np.random.default_rng(0).random((7, 5, 3)), np.zeros((7, 4, 3))
    kernel(KNOWN, max_allocation=3 * 15 * 8)(dt=1.0, I=source, Q=result)
    np.testing.assert_allclose(result, K @ source, rtol=1e-14)


@st.composite
def parameters(draw: st.DrawFn) -> TensorParameter:
    shape = tuple(draw(st.lists(st.integers(1, 4), max_size=3)))
    strides, least = [], 1
    for size in shape:
        strides.append(draw(st.integers(least, least + 3)))
        least = size * strides[-1]
    modes = tuple(draw(st.permutations(range(len(shape)))))
    numbers = tuple(draw(st.lists(st.floats(-10, 10), min_size=int(np.prod(shape)), max_size=int(np.prod(shape)))))
    parameter = constant("A", shape, strides=tuple(strides), modes=modes, values=numbers)
    return replace(parameter, type=draw(ELEMENTS))


ELEMENTS = st.sampled_from(["f32", "f64"])


@given(parameters())
def test_the_array_lies_as_declared_and_has_the_modes_of_the_caller(parameter: TensorParameter) -> None:
    array = known_array(parameter)
    assert not array.flags.writeable
    assert layout_in_place(parameter, array.shape, array.strides) is not None
    assert parameter.values is not None
    rounded = np.array(parameter.values, array.dtype)
    np.testing.assert_array_equal(array.transpose(parameter.modes).ravel(order="F"), rounded)
