"""Copies on a device give what NumPy's give, for any strides."""

import numpy as np
import pyopencl.array as cl_array
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from einsum_front.runtime.launches.memory import copy_entries
from tests.runtime.kernels import DEVICE


@st.composite
def cuts(draw: st.DrawFn, order: int) -> tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]:
    """Of a larger array: the order of its axes, a step and the entries left out at the end of each."""
    axes = tuple(draw(st.permutations(range(order))))
    steps = tuple(draw(st.sampled_from([1, 1, 2, -1])) for _ in range(order))
    return axes, steps, tuple(draw(st.integers(0, 2)) for _ in range(order))


def view_of(
    shape: tuple[int, ...], cut: tuple[tuple[int, ...], ...], dtype: type, start: float
) -> tuple[cl_array.Array, cl_array.Array]:
    """A view of this shape into an array of the device, and all of that array."""
    axes, steps, padding = cut
    base_shape = [abs(steps[axis]) * shape[axis] + padding[axis] for axis in axes]
    base = cl_array.to_device(DEVICE.queue, (start + np.arange(np.prod(base_shape))).astype(dtype).reshape(base_shape))
    view = base[tuple(slice(None, None, steps[axis]) for axis in axes)] if axes else base
    view = view.transpose(tuple(int(axis) for axis in np.argsort(axes))) if axes else view
    return view[tuple(slice(0, size) for size in shape)] if axes else view, base


def entries(view: cl_array.Array, base: cl_array.Array) -> np.ndarray:
    """What NumPy finds at the places of the view."""
    memory = base.get().ravel()
    return np.lib.stride_tricks.as_strided(memory[view.offset // memory.itemsize :], view.shape, view.strides)


@given(data=st.data())
@settings(max_examples=60, deadline=None)
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_any_strides(dtype: type, data: st.DataObject) -> None:
    """Nothing but the entries of the target changes."""
    shape = tuple(data.draw(st.lists(st.integers(1, 4), max_size=5)))
    source, all_of_source = view_of(shape, data.draw(cuts(len(shape))), dtype, 1000)
    target, all_of_target = view_of(shape, data.draw(cuts(len(shape))), dtype, 0)
    expected = all_of_target.get().ravel()
    places = np.lib.stride_tricks.as_strided(
        np.arange(expected.size)[target.offset // expected.itemsize :],
        shape,
        tuple(stride * 8 // expected.itemsize for stride in target.strides),
    )
    expected[places] = entries(source, all_of_source)
    copy_entries(target, source, DEVICE.queue)
    np.testing.assert_array_equal(all_of_target.get().ravel(), expected)


def test_one_entry_for_many() -> None:
    source = cl_array.to_device(DEVICE.queue, np.arange(3.0))
    target = cl_array.zeros(DEVICE.queue, (2, 3, 4), np.float64)
    same = cl_array.Array(DEVICE.queue, (2, 3, 4), np.float64, data=source.base_data, strides=(0, 8, 0))
    copy_entries(target, same, DEVICE.queue)
    np.testing.assert_array_equal(target.get(), np.broadcast_to(np.arange(3.0)[:, None], (2, 3, 4)))


def test_nothing_to_copy() -> None:
    target, source = (cl_array.empty(DEVICE.queue, (3, 0), np.float64) for _ in range(2))
    copy_entries(target, source, DEVICE.queue)
