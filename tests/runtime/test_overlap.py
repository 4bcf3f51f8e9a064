"""Which arrays share memory."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from einsum_front.runtime.arrays import overlap
from einsum_front.runtime.arrays.overlap import overlap_mistakes, overlaps_itself
from einsum_front.runtime.arrays.storage import HostArray, HostGroup, host_array
from einsum_front.runtime.artifact import TensorParameter
from tests.runtime.kernels import constant, group

MEMORY = np.zeros(400, dtype=np.uint8)


@st.composite
def windows(draw: st.DrawFn) -> NDArray[np.float64]:
    """Any view of two modes into one piece of memory, entries at any byte."""
    shape = draw(st.tuples(st.integers(0, 4), st.integers(0, 4)))
    strides = draw(st.tuples(st.integers(-20, 20), st.integers(-20, 20)))
    start = draw(st.integers(160, 200))
    return as_strided(MEMORY[start : start + 8].view(np.float64), shape, strides)


def places(array: NDArray[np.float64]) -> list[int]:
    """The address of every byte of every entry."""
    start, (first, second) = array.ctypes.data, array.strides
    return [
        start + i * first + j * second + byte
        for i in range(array.shape[0])
        for j in range(array.shape[1])
        for byte in range(8)
    ]


def on_host(parameter: TensorParameter, array: NDArray[np.float64]) -> HostArray:
    return host_array(parameter, array, allow_gaps=True)


@given(windows())
def test_of_one_array(array: NDArray[np.float64]) -> None:
    assert overlaps_itself(array) == (len(set(places(array))) < len(places(array)))


@given(windows(), windows())
def test_of_two_arguments(first: NDArray[np.float64], second: NDArray[np.float64]) -> None:
    shared = set(places(first)) & set(places(second))
    values = [on_host(constant("A", (4, 4)), first), on_host(constant("C", (4, 4), "w"), second)]
    assert bool(overlap_mistakes("f", values)) == bool(shared)


@given(st.lists(windows(), max_size=5))
def test_of_members(members: list[NDArray[np.float64]]) -> None:
    seen = [set(places(member)) for member in members]
    shared = any(seen[i] & seen[j] for i in range(len(seen)) for j in range(i))
    value = HostGroup(group("P", (4, 4), "w"), tuple(members))
    assert bool(overlap_mistakes("f", [value])) == shared


def test_inputs_may_share_memory() -> None:
    array = np.zeros((4, 4))
    values = [on_host(constant("A", (4, 4)), array), on_host(constant("B", (4, 4)), array)]
    assert overlap_mistakes("f", values) == []


def test_members_that_many_elements_read_are_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """All pairs of a thousand elements that share a matrix would be looked at, else."""
    looked: list[int] = []

    def neighbours(regions: list[overlap.Region]) -> list[tuple[overlap.Region, overlap.Region]]:
        looked.append(len(regions))
        return []

    monkeypatch.setattr(overlap, "_neighbours", neighbours)
    matrix = np.zeros((4, 4))
    overlap_mistakes(
        "f", [HostGroup(group("P", (4, 4), "r"), (matrix,) * 1000), on_host(constant("A", (4, 4)), matrix)]
    )
    assert looked == [2]
