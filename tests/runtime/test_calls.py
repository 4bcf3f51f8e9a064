"""Calls like one before are prepared once, give what they must, and are refused in the same words as the first one."""

import weakref
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest

from einsum_front.runtime.launches import launch
from tests.runtime.kernels import DEVICE, FILL, VOLUME, buffer_of, constant, kernel, tensor, words
from tests.runtime.test_launch import LAYOUTS, Matrices, download, expected, matrices, upload


def test_shapes_and_layouts_come_and_go() -> None:
    volume = kernel(VOLUME)
    for batch in (3, 0, 1, 3):
        for _, layout in sorted(LAYOUTS.items()):
            given = {name: layout(array) if name != "K" else array for name, array in matrices(batch).items()}
            for dt in (0.5, 2):
                want = expected(given, dt)
                volume(dt=dt, **given)
                np.testing.assert_array_equal(given["Q"], want)


@pytest.mark.parametrize("place", ["host", "device", "both"])
def test_the_second_call_is_prepared(place: str, monkeypatch: pytest.MonkeyPatch) -> None:
    volume = kernel(VOLUME)
    volume(dt=1.0, **placed(matrices(3), place))
    monkeypatch.setattr(launch, "check", None)
    for dt in (0.5, 2):
        given = matrices(3)
        want, arguments = expected(given, dt), placed(given, place)
        volume(dt=dt, **dict(reversed(arguments.items())))
        result = arguments["Q"]
        np.testing.assert_array_equal(download(result) if isinstance(result, cl_array.Array) else result, want)


def placed(given: dict[str, Matrices], place: str) -> dict[str, Matrices | cl_array.Array]:
    names = {"host": "", "device": "KIQ", "both": "I"}[place]
    return {name: upload(array) if name in names else array for name, array in given.items()}


Q = np.zeros((2, 4, 3))
WRONG: dict[str, dict[str, object]] = {
    "shape": {"Q": np.zeros((2, 3, 4))},
    "element type": {"Q": Q.astype(np.float32)},
    "byte order": {"Q": Q.astype(">f8")},
    "batch": {"Q": np.zeros((3, 4, 3))},
    "read-only": {"Q": np.broadcast_to(0.0, Q.shape)},
    "overlaps itself": {"Q": np.lib.stride_tricks.as_strided(np.zeros(24), Q.shape, (96, 8, 8))},
    "masked": {"Q": np.ma.masked_array(Q)},
    "list": {"Q": Q.tolist()},
    "scalar": {"dt": "1.0"},
    "scalar too large": {"dt": 10**400},
    "work-groups": {"groups": 3},
    "work-groups of another type": {"groups": 2.0},
    "name": {"q": Q},
    "nothing": {"Q": None},
    "layout on the device": {"Q": cl_array.zeros(DEVICE.queue, Q.shape, np.float64)},
    "read-only on the device": {"Q": cl.Buffer(DEVICE.context, cl.mem_flags.READ_ONLY, Q.nbytes)},
}


@pytest.mark.parametrize("wrong", WRONG)
def test_what_is_wrong_then_is_said_as_at_first(wrong: str) -> None:
    given = {"dt": 1.0, **matrices(2)}
    used = kernel(VOLUME)
    used(**given)
    arguments: dict[str, Any] = {**given, **WRONG[wrong]}
    groups = [arguments.pop("groups")] if "groups" in arguments else []
    text = words(kernel(VOLUME), *groups, **arguments)
    assert text.startswith("error[E05")
    for _ in range(2):
        assert words(used, *groups, **arguments) == text


def test_shared_memory_is_seen_in_every_call() -> None:
    given = {"dt": 1.0, **matrices(2)}
    given["K"] = np.zeros((4, 5), order="F")
    used, memory = kernel(VOLUME), np.zeros(2 * 15)
    given["I"] = memory.reshape(2, 3, 5).transpose(0, 2, 1)
    for _ in range(2):
        used(**given)
    given["Q"] = np.zeros((2, 3, 4)).transpose(0, 2, 1)
    used(**given)
    given["Q"] = memory[:24].reshape(2, 3, 4).transpose(0, 2, 1)
    assert words(used, **given).startswith("error[E0510]: `I` and `Q` share memory, and `volume` writes to `Q`")


def test_shared_memory_of_a_device_is_seen_in_every_call() -> None:
    source = """
kernel void add(global double const* a, long batch_a, global double* b, long batch_b) {
  b[get_group_id(2)] += a[get_group_id(2)];
}
"""
    artifact = replace(
        VOLUME, name="add", entry="add", source=source, parameters=(tensor("a", (), "r"), tensor("b", (), "rw"))
    )
    used, ones = kernel(replace(artifact, work_group_size=(1, 1))), np.ones(4)
    apart = [cl_array.to_device(DEVICE.queue, ones) for _ in range(2)]
    for number in range(2, 5):
        used(a=apart[0], b=apart[1])
        np.testing.assert_array_equal(apart[1].get(), number * ones)
    text = "error[E0510]: `a` and `b` share memory, and `add` writes to `b`"
    assert words(used, a=apart[0], b=apart[0]).startswith(text)
    part = cl_array.Array(DEVICE.queue, (4,), np.float64, data=buffer_of(apart[0]).get_sub_region(0, 32))
    assert words(used, a=apart[0], b=part).startswith(text)


def test_known_values_are_compared_in_every_call() -> None:
    numbers = tuple(map(float, range(20)))
    known = constant("K", (4, 5), values=numbers)
    used = kernel(replace(VOLUME, parameters=(VOLUME.parameters[0], known, *VOLUME.parameters[2:])))
    given = matrices(2)
    given["K"] = np.reshape(numbers, (4, 5), order="F")
    used(dt=1.0, **given)
    given["K"] = given["K"].copy()
    used(dt=1.0, **given)
    given["K"][2, 3] = 0.5
    assert words(used, dt=1.0, **given).startswith("error[E0515]: argument `K` is 0.5 at (2, 3), but was 14.0")
    del given["K"]
    for _ in range(2):
        used(dt=1.0, **given)


def test_work_groups_of_a_kernel_without_a_batch() -> None:
    used, entries = kernel(FILL), np.zeros(6)
    for groups in (4, 2, 4):
        used(groups, first=groups, C=entries)
        np.testing.assert_array_equal(entries[:groups], groups + np.arange(groups))
    used(first=7, C=entries)
    np.testing.assert_array_equal(entries, [7, 5, 6, 7, 0, 0])


def test_arrays_are_not_kept() -> None:
    used = kernel(VOLUME)
    for layout in ("declared", "C order"):
        given = {name: LAYOUTS[layout](array) if name != "K" else array for name, array in matrices(2).items()}
        watched = [weakref.ref(array) for array in given.values()]
        for _ in range(2):
            used(dt=1.0, **given)
        del given
        assert [each() for each in watched] == [None] * 3


def test_few_kinds_of_calls_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "MOST_SIGNATURES", 3)
    used = kernel(VOLUME)
    for batch in (1, 2, 3, 4, 5, 1):
        given = matrices(batch)
        want = expected(given, 1.0)
        used(dt=1.0, **given)
        np.testing.assert_array_equal(given["Q"], want)
        assert len(used._calls._seen) <= 3


def test_results_are_there_on_a_queue_that_changes_the_order() -> None:
    properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
    queue = cl.CommandQueue(DEVICE.context, DEVICE.handle, properties)
    used = kernel(VOLUME)
    for _ in range(20):
        given = matrices(50)
        want = expected(given, 1.0)
        used(dt=1.0, **{**given, "I": upload(given["I"], queue)})
        np.testing.assert_array_equal(given["Q"], want)
