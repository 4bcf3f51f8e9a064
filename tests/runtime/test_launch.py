"""Kernels give what NumPy gives, whatever the arrays look like."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.launches.build import build
from tests.copies import counted
from tests.runtime.kernels import (
    DEVICE,
    DOUBLE,
    FILL,
    IN_STAGES,
    VOLUME,
    buffer_of,
    constant,
    kernel,
    tensor,
    tensors_of,
    transposed,
)

Matrices = NDArray[np.float64]
RANDOM = np.random.default_rng(7)


def unaligned(array: Matrices) -> Matrices:
    memory = np.zeros(array.nbytes + 1, dtype=np.uint8)
    copy = memory[1:].view(np.float64).reshape(array.shape)
    copy[...] = array
    return copy


LAYOUTS: dict[str, Callable[[Matrices], Matrices]] = {
    "declared": lambda array: swapped(swapped(array).copy()),
    "C order": np.ascontiguousarray,
    "Fortran order": np.asfortranarray,
    "backwards": lambda array: array[::-1, ::-1].copy()[::-1, ::-1],
    "every other": lambda array: np.repeat(array, 2, axis=1)[:, ::2],
    "unaligned": unaligned,
}


def matrices(batch: int) -> dict[str, Matrices]:
    return {
        "K": RANDOM.integers(-9, 9, (4, 5)).astype(np.float64),
        "I": RANDOM.integers(-9, 9, (batch, 5, 3)).astype(np.float64),
        "Q": RANDOM.integers(-9, 9, (batch, 4, 3)).astype(np.float64),
    }


def expected(given: dict[str, Matrices], dt: float) -> Matrices:
    """Exact, because all numbers are small integers."""
    return given["Q"] + dt * (given["K"] @ given["I"])


@pytest.mark.parametrize("shares", [True, False], ids=["host memory", "own memory"])
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("batch", [0, 1, 7])
def test_any_layout(layout: str, batch: int, shares: bool) -> None:
    arguments = {name: LAYOUTS[layout](array) for name, array in matrices(batch).items() if name != "K"}
    arguments["K"] = matrices(1)["K"]
    want = expected(arguments, 0.5)
    kernel(VOLUME, shares_host_memory=shares and DEVICE.facts.shares_host_memory)(dt=0.5, **arguments)
    np.testing.assert_array_equal(arguments["Q"], want)


def test_inputs_may_be_read_only_and_shared() -> None:
    given = matrices(3)
    given["I"].flags.writeable = False
    given["K"] = np.broadcast_to(given["K"][:, :1], (4, 5))
    want = expected(given, 1.0)
    kernel(VOLUME)(dt=1, **given)
    np.testing.assert_array_equal(given["Q"], want)


def test_entries_that_are_not_finite_are_allowed() -> None:
    given = matrices(2)
    given["Q"][0, 0, 0], given["Q"][1, 0, 0] = np.nan, np.inf
    want = expected(given, 1.0)
    kernel(VOLUME)(dt=1, **given)
    np.testing.assert_array_equal(given["Q"], want)


@given(data=st.data())
@settings(max_examples=40, deadline=None)
def test_sizes_and_strides_of_the_launch(data: st.DataObject) -> None:
    """Any view of any array, padded, transposed, backwards: nothing but the entries of the output changes."""
    batch, m, n = (data.draw(st.integers(low, 4)) for low in (0, 0, 0))
    source, target = data.draw(views((batch, n, m))), data.draw(views((batch, m, n)))
    before = whole(target).copy()
    kernel(DOUBLE)(A=source, C=target)
    np.testing.assert_array_equal(target, 2 * source.transpose(0, 2, 1))
    target[...] = np.nan
    changed = whole(target) != before
    assert changed.sum() == target.size


@st.composite
def views(draw: st.DrawFn, shape: tuple[int, ...]) -> Matrices:
    """A view of this shape into a larger array with integer entries."""
    order = draw(st.permutations(range(3)))
    steps = draw(st.tuples(*[st.sampled_from([1, 2, -1])] * 3))
    padding = draw(st.tuples(*[st.integers(0, 2)] * 3))
    base_shape = [abs(steps[axis]) * shape[axis] + padding[axis] for axis in order]
    base = RANDOM.integers(-9, 9, base_shape).astype(np.float64)
    cuts = tuple(slice(None, None, steps[axis]) for axis in order)
    view = base[cuts].transpose(np.argsort(order))
    return view[tuple(slice(0, size) for size in shape)]


def whole(view: Matrices) -> Matrices:
    """The memory that a view looks into."""
    base = view
    while isinstance(base.base, np.ndarray):
        base = base.base
    return base


def test_zero_entries_are_neither_read_nor_written() -> None:
    """Q and I have garbage where they declare zeros: the results do not see it, and it is still there."""
    pattern_q, pattern_i = ((0, 3), (5, 12)), ((2, 15),)
    artifact = replace(
        VOLUME,
        parameters=(
            *VOLUME.parameters[:2],
            tensor("I", (5, 3), "r", nonzeros=pattern_i),
            tensor("Q", (4, 3), "rw", nonzeros=pattern_q),
        ),
    )
    given = matrices(3)
    clean = {name: array.copy() for name, array in given.items()}
    given["I"][:, [0, 1], 0] = np.nan
    clean["I"][:, [0, 1], 0] = 0.0
    given["Q"][:, 3, 0] = given["Q"][:, 0, 1] = -77.0
    want = expected(clean, 1.0)
    kernel(artifact)(dt=1.0, **given)
    want[:, 3, 0] = want[:, 0, 1] = -77.0
    np.testing.assert_array_equal(given["Q"], want)
    assert np.isnan(given["I"][:, [0, 1], 0]).all()


def test_interleaved_views_of_one_array() -> None:
    """Each lies in the gaps of the other, and the kernel works on both where they lie."""
    both = RANDOM.random((3, 6, 4)).transpose(0, 2, 1)
    source, target = both[:, :, 3:], both[:, :, :3]
    artifact = replace(DOUBLE, parameters=tuple(replace(each, modes=(0, 1)) for each in tensors_of(DOUBLE)))
    want = 2 * source
    kernel(artifact)(A=source, C=target)
    np.testing.assert_array_equal(both, np.concatenate([want, want / 2], axis=2))


def test_a_prepared_launch_runs_on_its_results() -> None:
    given = matrices(5)
    want = given["Q"] + 3 * (given["K"] @ given["I"])
    launch = kernel(VOLUME).prepare(dt=1.0, **given)
    for _ in range(2):
        launch.run()
    launch.finish()
    launch.run()
    launch.finish()
    np.testing.assert_array_equal(given["Q"], want)


@pytest.mark.parametrize("shares", [True, False], ids=["host memory", "own memory"])
@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_prepared_launch_sees_what_is_written_between_its_runs(layout: str, shares: bool) -> None:
    """Whatever the layout: what is copied on the way is copied again."""
    given = {name: LAYOUTS[layout](array) for name, array in matrices(5).items()}
    launch = kernel(VOLUME, shares_host_memory=shares and DEVICE.facts.shares_host_memory).prepare(dt=0.5, **given)
    for number in range(1, 4):
        given["I"][...] += number
        given["Q"][...] = number
        given["K"][0] = -number
        want = expected(given, 0.5) + expected(given, 0.5) - given["Q"]
        launch.run()
        launch.run()
        launch.finish()
        np.testing.assert_array_equal(given["Q"], want)


def test_scalars_of_a_prepared_launch_change_between_runs() -> None:
    """What is queued already keeps its number."""
    given = matrices(5)
    want = given["Q"] + (1.0 + 0.5 - 3.0) * (given["K"] @ given["I"])
    launch = kernel(VOLUME).prepare(dt=1.0, **given)
    launch.run()
    for dt in (0.5, np.float32(-3)):
        launch.set(dt=dt)
        launch.run()
    launch.finish()
    np.testing.assert_array_equal(given["Q"], want)


def test_what_is_no_scalar_of_the_launch() -> None:
    launch = kernel(VOLUME).prepare(dt=1.0, **matrices(1))
    with pytest.raises(CompileError) as error:
        launch.set(dx=1.0, Q=2.0, dt="x")
    assert (
        str(error.value)
        == """\
error[E0502]: `volume` has no scalar `dx`
  = note: its scalars are `dt`

error[E0502]: `volume` has no scalar `Q`
  = note: its scalars are `dt`

error[E0509]: argument `dt` is of type str, expected a number"""
    )


def test_stages_run_one_after_the_other() -> None:
    A, C = 1.0 + np.arange(3000.0).reshape(1000, 3), np.zeros((1000, 3))
    staged = kernel(IN_STAGES)
    staged(dt=0.5, A=A, C=C)
    np.testing.assert_array_equal(C, 5 * A + 0.5)
    launch = staged.prepare(dt=0.5, A=A, C=C)
    assert len(launch.run()) == 3
    launch.set(dt=2.0)
    launch.run()
    launch.finish()
    np.testing.assert_array_equal(C, 20 * A + 2)
    queue = cl.CommandQueue(DEVICE.context, properties=cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE)
    on_device = [cl_array.to_device(queue, array) for array in (A, C)]
    queue.finish()
    staged(dt=1.0, A=on_device[0], C=on_device[1])
    np.testing.assert_array_equal(on_device[1].get(), 10 * A + 1)


def test_number_of_work_groups() -> None:
    entries = np.zeros(6)
    kernel(FILL)(4, first=10, C=entries)
    kernel(FILL)(first=-1, C=entries[5:])
    np.testing.assert_array_equal(entries, [10, 11, 12, 13, 0, -1])


def test_order_zero() -> None:
    """Scalars of the batch: shape (batch,), with and without a constant of shape ()."""
    source = """
kernel void add(global double const* s, global double* t, long batch) { t[get_group_id(2)] += s[0]; }
"""
    artifact = Artifact("add", source, (constant("s", ()), tensor("t", (), "rw")), (1, 1), 0, needs_fp64=True)
    t = np.arange(10.0)[::2]
    kernel(artifact)(s=np.array(0.5), t=t)
    np.testing.assert_array_equal(t, [0.5, 2.5, 4.5, 6.5, 8.5])


def swapped(array: Matrices) -> Matrices:
    """The last two axes the other way round."""
    return array.swapaxes(-1, -2)


def swapped_on_device(array: cl_array.Array) -> cl_array.Array:
    """The last two axes the other way round."""
    return transposed(array, (*range(array.ndim - 2), array.ndim - 1, array.ndim - 2))


def upload(array: Matrices, queue: cl.CommandQueue | None = None) -> cl_array.Array:
    """A copy on the device, of column-major matrices."""
    return swapped_on_device(cl_array.to_device(queue or DEVICE.queue, swapped(array).copy()))


def download(array: cl_array.Array) -> Matrices:
    """pyopencl copies C-contiguous arrays only."""
    host: Matrices = swapped_on_device(array).get()
    return swapped(host)


class TestDeviceArrays:
    def test_used_where_they_lie(self) -> None:
        given = matrices(6)
        on_device = {name: upload(array) for name, array in given.items()}
        kernel(VOLUME)(dt=2.0, **on_device)
        np.testing.assert_array_equal(download(on_device["Q"]), expected(given, 2.0))

    def test_beside_numpy_arrays_and_on_other_queues(self) -> None:
        given = matrices(6)
        want = expected(given, 2.0)
        other = cl.CommandQueue(DEVICE.context)
        kernel(VOLUME)(dt=2.0, K=given["K"], I=upload(given["I"], other), Q=given["Q"])
        np.testing.assert_array_equal(given["Q"], want)

    def test_buffers(self) -> None:
        given = matrices(6)
        on_device = {name: upload(array) for name, array in given.items()}
        kernel(VOLUME)(dt=2.0, **{name: array.data for name, array in on_device.items()})
        np.testing.assert_array_equal(download(on_device["Q"]), expected(given, 2.0))

    def test_that_start_inside_a_buffer(self) -> None:
        """Elements 32 on: a multiple of every alignment that devices ask for; then a part of such a part."""
        given = matrices(96)
        want = given["Q"].copy()
        want[64:] = expected(given, 2.0)[64:]
        target = upload(given["Q"])
        kernel(VOLUME)(dt=2.0, K=given["K"], I=given["I"][64:], Q=target[64:])
        np.testing.assert_array_equal(download(target), want)
        part = buffer_of(target).get_sub_region(32 * 96, 64 * 96)
        kernel(VOLUME)(dt=-2.0, K=given["K"], I=given["I"][32:], Q=part)
        want[32:] -= 2.0 * (given["K"] @ given["I"][32:])
        np.testing.assert_array_equal(download(target), want)

    def test_interleaved_views_do_not_overlap(self) -> None:
        both = upload(RANDOM.random((2, 16, 6)))
        left, right = both[:, :, :3], both[:, :, 3:]
        artifact = replace(DOUBLE, parameters=tuple(replace(each, modes=(0, 1)) for each in tensors_of(DOUBLE)))
        want = download(both)
        want[:, :, :3] = 2 * want[:, :, 3:]
        kernel(artifact)(A=right, C=left)
        np.testing.assert_array_equal(download(both), want)


def test_another_thread_takes_the_last_idle_kernel() -> None:
    class Taken(list[Any]):
        def __bool__(self) -> bool:
            return True

    pool = replace(build(VOLUME, DEVICE.context, DEVICE.handle), idle={frozenset(): Taken()})
    assert [kernel.function_name for kernel in pool.take().each] == [VOLUME.entry]


def test_a_kernel_that_read_shared_memory_is_not_given_a_buffer() -> None:
    pool = replace(build(VOLUME, DEVICE.context, DEVICE.handle), idle={frozenset(): [], frozenset({"Q"}): []})
    kernel = pool.take(frozenset({"Q"}))
    pool.give_back(kernel, frozenset({"Q"}))
    assert pool.take() is not kernel
    assert pool.take(frozenset({"Q"})) is kernel


class TestBatchesThatAreTooLarge:
    """The device of the tests is told to take little at once; its results must not change."""

    def test_one_allocation(self) -> None:
        given = matrices(23)
        want = expected(given, 1.0)
        kernel(VOLUME, max_allocation=600)(dt=1.0, **given)
        np.testing.assert_array_equal(given["Q"], want)

    def test_number_of_work_groups(self) -> None:
        given = matrices(23)
        want = given["Q"] + 2 * (given["K"] @ given["I"])
        driver = replace(DEVICE.facts.driver, max_groups=4)
        launch = kernel(VOLUME, driver=driver).prepare(dt=1.0, **given)
        assert len(launch.run()) == 6
        launch.run()
        launch.finish()
        np.testing.assert_array_equal(given["Q"], want)

    def test_all_memory(self) -> None:
        given = matrices(23)
        want = expected(given, 1.0)
        small = kernel(VOLUME, shares_host_memory=False, global_memory=1500)
        small(dt=1.0, **given)
        np.testing.assert_array_equal(given["Q"], want)
        assert len(small.prepare(dt=1.0, **given).run()) == 4

    @pytest.mark.skipif(not DEVICE.facts.shares_host_memory, reason="other devices take parts of another size")
    def test_copies(self, monkeypatch: pytest.MonkeyPatch) -> None:
        """Only a call makes its copies for parts of the batch: 216 bytes an element, of I and Q."""
        given = {name: np.ascontiguousarray(array) for name, array in matrices(23).items()}
        want = expected(given, 1.0)
        monkeypatch.setattr("einsum_front.runtime.launches.launch.COPIED_BYTES", 5 * 216)
        small = kernel(VOLUME)
        with counted() as copies:
            small(dt=1.0, **given)
        np.testing.assert_array_equal(given["Q"], want)
        assert [copies.names.count(name) for name in ("I", "Q")] == [5, 5]
        assert len(small.prepare(dt=1.0, **given).run()) == 1
        monkeypatch.setattr("einsum_front.runtime.launches.launch.COPIED_BYTES", 100)  # less than one element has
        small(dt=0.0, **given)
        np.testing.assert_array_equal(given["Q"], want)

    def test_arrays_of_the_device(self) -> None:
        """96 bytes an element of Q: where parts must start at multiples of 128 bytes, these are 4 elements."""
        alignment = max(128, DEVICE.facts.base_alignment)
        elements = alignment // 32
        given = matrices(6 * elements - 1)
        target = upload(given["Q"])
        limited = kernel(VOLUME, base_alignment=alignment, max_allocation=(2 * elements - 1) * 120)
        launch = limited.prepare(dt=1.0, K=given["K"], I=given["I"], Q=target)
        assert len(launch.run()) == 6
        launch.finish()
        np.testing.assert_array_equal(download(target), expected(given, 1.0))
