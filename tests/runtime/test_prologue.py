"""A kernel that runs before each launch, into memory of the launch."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import cast

import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import pytest

from einsum_front.runtime.artifact import Artifact, ScalarParameter
from einsum_front.runtime.launches.timing import measure
from tests.runtime.kernels import DEVICE, constant, kernel, tensor, words

SOURCE = """
kernel __attribute__((reqd_work_group_size(2, 1, 1)))
void apply_prologue(double s, global double const* K, global double* K_s) {
  int i = get_local_id(0);
  for (int j = 0; j < 2; ++j) if (i != 1 || j != 0) K_s[i + 2 * j] = s * K[i + 2 * j];
}

kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void apply(double s, global double const* K, global double const* K_s, global double* Q, long batch_Q) {
  long g = get_group_id(2);
  double q[2] = {Q[2 * g], Q[1 + 2 * g]};
  for (int i = 0; i < 2; ++i) Q[i + 2 * g] = K_s[i] * q[0] + K_s[i + 2] * q[1];
}
"""
ONCE = Artifact(
    "apply_prologue",
    SOURCE,
    (ScalarParameter("s", "f64"), constant("K", (2, 2)), constant("K_s", (2, 2), "w", nonzeros=((0, 1), (2, 4)))),
    (2, 1),
    0,
    needs_fp64=True,
)
APPLY = Artifact(
    "apply",
    SOURCE,
    (
        ScalarParameter("s", "f64"),
        constant("K", (2, 2)),
        constant("K_s", (2, 2), nonzeros=((0, 1), (2, 4))),
        tensor("Q", (2,), "rw"),
    ),
    (1, 1),
    0,
    needs_fp64=True,
    prologue=ONCE,
)
"""Q := s K Q, where s K is computed once, as the upper triangle that it is."""

K = np.array([[1.0, 2.0], [0.0, 3.0]])


def expected(given: np.ndarray, times: int = 1, s: float = 2.0) -> np.ndarray:
    result: np.ndarray = given @ np.linalg.matrix_power(s * K, times).T
    return result


def test_the_caller_passes_what_the_text_names() -> None:
    assert [parameter.name for parameter in APPLY.arguments] == ["s", "K", "Q"]
    assert list(APPLY.owned) == ["K_s"]
    given = np.arange(6.0).reshape(3, 2)
    q = given.copy()
    kernel(APPLY)(s=2.0, K=K, Q=q)
    np.testing.assert_array_equal(q, expected(given))
    assert "`apply` has no argument `K_s`" in words(kernel(APPLY), s=2.0, K=K, Q=q, K_s=K)


@pytest.mark.parametrize("shares", [True, False], ids=["host memory", "own memory"])
def test_each_call_sees_the_constants_as_they_are_now(shares: bool) -> None:
    called, given, k = kernel(APPLY, shares_host_memory=shares), np.ones((3, 2)), K.copy()
    for factor in (1.0, 5.0):
        k[0, 1] = factor
        q = given.copy()
        called(s=1.0, K=k, Q=q)
        np.testing.assert_array_equal(q, given @ k.T)


def test_each_run_of_a_launch_computes_them_again() -> None:
    given = np.ones((3, 2))
    q = given.copy()
    launch = kernel(APPLY).prepare(s=2.0, K=K, Q=q)
    for _ in range(3):
        events = launch.run()
    launch.finish()
    assert len(events) == 2
    np.testing.assert_array_equal(q, expected(given, 3))


def test_a_batch_in_several_launches() -> None:
    given = np.arange(14.0).reshape(7, 2)
    for prepared in (False, True):
        q = given.copy()
        called = kernel(APPLY, max_allocation=3 * given[0].nbytes)
        if prepared:
            launch = called.prepare(s=2.0, K=K, Q=q)
            assert len(launch.run()) == 4
            launch.finish()
        else:
            called(s=2.0, K=K, Q=q)
        np.testing.assert_array_equal(q, expected(given))


def test_an_empty_batch_runs_nothing() -> None:
    launch = kernel(APPLY).prepare(s=2.0, K=K, Q=np.zeros((0, 2)))
    assert launch.run() == ()


def test_launches_do_not_share_the_memory() -> None:
    """Bound with one K, then with another one, then both run: each has its own."""
    called, given = kernel(APPLY), np.ones((4, 2))
    results = [given.copy(), given.copy()]
    launches = [called.prepare(s=s, K=K, Q=q) for s, q in zip((1.0, 4.0), results, strict=True)]
    for launch in launches:
        launch.run()
    for launch in launches:
        launch.finish()
    for s, q in zip((1.0, 4.0), results, strict=True):
        np.testing.assert_array_equal(q, expected(given, s=s))


def test_threads_call_one_kernel() -> None:
    called, given = kernel(APPLY), np.random.default_rng(1).random((50, 2))

    def run(s: int) -> np.ndarray:
        q = given.copy()
        called(s=float(s), K=K, Q=q)
        return q

    with ThreadPoolExecutor(4) as threads:
        for s, q in enumerate(threads.map(run, range(20))):
            np.testing.assert_allclose(q, expected(given, s=float(s)))


def test_queues_of_the_caller_may_change_the_order() -> None:
    """Nothing but events says then that the prologue comes first, and after the run before."""
    context = DEVICE.context
    properties = cl.command_queue_properties
    any_order = properties.OUT_OF_ORDER_EXEC_MODE_ENABLE | properties.PROFILING_ENABLE
    queue = cl.CommandQueue(context, DEVICE.handle, cast("cl.command_queue_properties", any_order))
    given = np.random.default_rng(2).random((20, 2))
    on_device = cl_array.to_device(queue, given.T.copy(order="F").T)
    queue.finish()
    launch = kernel(APPLY).prepare(s=1.0, K=K, Q=on_device)
    for _ in range(5):
        launch.run()
    launch.finish()
    np.testing.assert_allclose(on_device.get(queue=queue), expected(given, 5, s=1.0))


def test_the_time_of_a_run_is_that_of_both() -> None:
    launch = kernel(APPLY).prepare(s=0.5, K=K, Q=np.ones((3, 2)))
    with launch.timed():
        events = launch.run()
    launch.finish()
    assert all(event.profile.end >= event.profile.start for event in events)
    assert measure(launch, runs=2).median > 0


def test_another_number_for_a_scalar_is_seen_by_the_prologue() -> None:
    given = np.array([[1.0, 2.0]])
    launch = kernel(APPLY).prepare(s=2.0, K=K, Q=(result := given.copy()))
    launch.run()
    launch.set(s=3.0)
    launch.run()
    launch.finish()
    np.testing.assert_array_equal(result, expected(expected(given), s=3.0))


def test_what_the_prologue_needs_of_the_device_is_checked() -> None:
    artifact = replace(APPLY, needs_fp64=False)
    with pytest.raises(Exception, match="`apply_prologue` does not run on"):
        kernel(artifact, has_fp64=False)


def test_the_memory_is_zero_where_nothing_is_computed() -> None:
    """A vector may be loaded across declared zeros."""
    given = np.ones((2, 2))
    for _ in range(3):
        q = given.copy()
        kernel(APPLY)(s=1.0, K=np.array([[1.0, 2.0], [np.nan, 3.0]]), Q=q)
        np.testing.assert_array_equal(q, expected(given, s=1.0))
