"""Where entries lie: sizes, strides and zeros of parameters."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from einsum_front.runtime.arrays.batch import empty
from einsum_front.runtime.arrays.layout import (
    declared_layout,
    expected_shape,
    layout_in_place,
    nonzero_mask,
    run_time_values,
)
from einsum_front.runtime.arrays.storage import fit, fitted
from einsum_front.runtime.artifact import TensorParameter
from tests.runtime.kernels import VOLUME, constant, group, kernel, tensor

PADDED = tensor("A", (4, 3, 2), "rw", strides=(1, 6, 20, 50), modes=(2, 0, 1))
"""The user's shape is (batch, 3, 2, 4)."""

DYNAMIC = tensor("A", (None, 3), "r", strides=(1, None, None))


def test_the_users_modes() -> None:
    assert expected_shape(PADDED) == (None, 3, 2, 4)
    layout = declared_layout(PADDED, (7, 3, 2, 4))
    assert layout.shape == (4, 3, 2, 7)
    assert layout.array_strides == (50, 6, 20, 1)
    assert layout.span == 3 + 2 * 6 + 20 + 6 * 50 + 1
    assert layout.has_gaps


def test_run_time_strides_are_packed() -> None:
    layout = declared_layout(DYNAMIC, (7, 5, 3))
    assert layout.strides == (1, 5, 15)
    assert not layout.has_gaps
    assert run_time_values(DYNAMIC, layout) == (5, 7, 5, 15)


@pytest.mark.parametrize(
    ("shape", "strides", "found"),
    [
        ((7, 5, 3), (15, 1, 5), (1, 5, 15)),
        ((7, 5, 3), (100, 1, 9), (1, 9, 100)),
        ((7, 5, 3), (14, 1, 5), None),
        ((7, 5, 3), (15, 1, 4), None),
        ((7, 5, 3), (15, 2, 10), None),
        ((7, 5, 3), (-15, 1, 5), None),
        ((7, 5, 1), (15, 1, -999), (1, 5, 15)),
        ((1, 5, 3), (0, 1, 5), (1, 5, 15)),
        ((0, 5, 3), (0, 0, 0), (1, 5, 15)),
        ((7, 0, 3), (0, 0, 0), (1, 1, 3)),
    ],
)
def test_strides_that_a_kernel_can_work_on(
    shape: tuple[int, ...], strides: tuple[int, ...], found: tuple[int, ...] | None
) -> None:
    layout = layout_in_place(DYNAMIC, shape, tuple(8 * stride for stride in strides))
    assert (layout and layout.strides) == found


@pytest.mark.parametrize(
    ("shape", "strides", "found"),
    [
        ((7, 5, 3), (15, 1, 5), (1, 5, 15)),
        ((7, 5, 3), (100, 1, 5), (1, 5, 100)),
        ((7, 5, 3), (100, 1, 9), None),
        ((7, 5, 1), (15, 1, -999), (1, 5, 15)),
        ((7, 1, 3), (15, 77, 5), None),
        ((7, 1, 3), (15, 77, 1), (1, 1, 15)),
        ((0, 5, 3), (0, 0, 0), (1, 5, 15)),
    ],
)
def test_modes_that_are_walked_as_one_lie_close(
    shape: tuple[int, ...], strides: tuple[int, ...], found: tuple[int, ...] | None
) -> None:
    layout = layout_in_place(replace(DYNAMIC, fused=((0, 1),)), shape, tuple(8 * stride for stride in strides))
    assert (layout and layout.strides) == found


def test_a_mode_of_size_one_has_the_stride_that_suits_the_next() -> None:
    """Modes 1 and 2 are walked as one, so the gap behind mode 0 may be any."""
    open_modes = tensor("A", (None, None, 3), "r", fused=((1, 2),))
    layout = layout_in_place(open_modes, (2, 4, 1, 3), (8 * 50, 8, 8 * 999, 8 * 6))
    assert layout is not None
    assert layout.strides == (1, 6, 6, 50)


def test_strides_between_elements() -> None:
    assert layout_in_place(DYNAMIC, (7, 5, 3), (120, 8, 41)) is None


def test_mask_has_the_users_axes() -> None:
    parameter = constant("A", (2, 3), modes=(1, 0), nonzeros=((1, 3), (5, 6)))
    mask = nonzero_mask(parameter, declared_layout(parameter, (3, 2)))
    assert mask is not None
    np.testing.assert_array_equal(mask, [[False, True], [True, False], [False, True]])
    everything = constant("A", (2, 3), nonzeros=((0, 6),))
    assert nonzero_mask(everything, declared_layout(everything, (2, 3))) is None


@st.composite
def parameters(draw: st.DrawFn) -> TensorParameter:
    shape = draw(st.lists(st.integers(1, 4), max_size=3))
    strides, least = [], 1
    for size in (*shape, 1):
        strides.append(draw(st.integers(least, least + 3)))
        least = size * strides[-1]
    modes = tuple(draw(st.permutations(range(len(shape)))))
    return tensor("A", tuple(shape), "rw", strides=tuple(strides), modes=modes)


@given(parameters(), st.integers(0, 3))
def test_empty_arrays_need_no_copy(parameter: TensorParameter, batch: int) -> None:
    array = empty(parameter, batch)
    assert array.shape == (batch, *expected_shape(parameter)[1:])
    assert batch == 0 or array.ctypes.data % 128 == 0
    array[...] = 1.0
    how = fit(parameter, array.shape, array.strides, allow_gaps=True)
    assert fitted(parameter, array, how) is array
    assert how.layout == declared_layout(parameter, array.shape)


@given(parameters(), st.integers(1, 3))
def test_other_arrays_are_copied_into_the_layout(parameter: TensorParameter, batch: int) -> None:
    shape = (batch, *(size or 0 for size in expected_shape(parameter)[1:]))
    array = np.arange(2.0 * np.prod(shape)).reshape(2, *shape)[1, ::-1]
    how = fit(parameter, shape, array.strides, allow_gaps=True)
    host = fitted(parameter, array, how)
    np.testing.assert_array_equal(host, array)
    assert how.layout == declared_layout(parameter, shape)
    assert layout_in_place(parameter, shape, host.strides) == how.layout


def test_empty_array_of_each_kind() -> None:
    volume = kernel(VOLUME)
    assert volume.empty("Q", 5).strides == (96, 8, 32)
    assert volume.empty("K", 5).strides == (8, 32)
    assert empty(DYNAMIC, 2, (5, 3)).strides == (120, 8, 40)
    assert empty(group("P", (2, 3), "rw", strides=(1, 4)), 2).strides == (80, 8, 32)
