"""When a kernel is built, who waits for it, and what happens at the end of a process and in children."""

import math
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import einsum_front as ef
from einsum_front.core.private_folders import NO_CACHE_VARIABLE
from einsum_front.index_string import background, builds, numpy_calls, ways
from einsum_front.index_string import call as call_in_full
from einsum_front.index_string.builds import BUILDS, REMEMBERED, WORTH_BUILDING
from einsum_front.index_string.kernel_calls import KernelCall
from einsum_front.index_string.keywords import Build
from einsum_front.index_string.numpy_calls import NumpyCall, Trial
from einsum_front.runtime import failure, names_on_shelf, short_calls_in_c

RANDOM = np.random.default_rng(5)
A, B = RANDOM.random((50, 4, 4)), RANDOM.random((4, 4))
EXPECTED = np.einsum("bik,kj->bij", A, B)

needs_c = pytest.mark.skipif(not short_calls_in_c(), reason="no C compiler beside a driver of the processor")


@pytest.fixture(autouse=True)
def _afresh(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.delenv("EINSUM_FRONT_DEVICE", raising=False)
    REMEMBERED.entries.clear()
    yield
    BUILDS.wait()
    REMEMBERED.entries.clear()
    ways.find_way.cache_clear()  # of a device that the environment named


def kind_of_call() -> NumpyCall:
    """What is remembered of the only kind of calls."""
    (entry,) = REMEMBERED.entries.values()
    assert isinstance(entry, NumpyCall)
    return entry


def product(build: Build | None = "auto", left: Any = A, **keywords: Any) -> Any:
    result = ef.einsum("bik,kj->bij", left, B, build=build, **keywords)
    np.testing.assert_allclose(result, np.einsum("bik,kj->bij", left, B), rtol=1e-13)
    return result


# -- when --------------------------------------------------------------------------------------------------------------


@needs_c
@pytest.mark.parametrize("left", [A, np.array(A, order="F"), A[:, ::-1], A.astype(np.float32)])
def test_a_kernel_is_built_when_calls_have_been_worth_it(left: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[int] = []
    ask, numbers = BUILDS.ask, [0]

    def watched(user: builds.User) -> None:
        asked.append(numbers[-1])
        ask(user)

    monkeypatch.setattr(BUILDS, "ask", watched)
    monkeypatch.setattr(Trial, "is_won", True)
    monkeypatch.setattr(numpy_calls, "KERNEL", 0)  # so that a small call has something to save
    product(left=left)
    call = kind_of_call()
    assert call.kernel is None
    needed = -(-WORTH_BUILDING // call.saving)
    call.left = 2.5 * call.saving
    for number in range(1, 6):
        numbers.append(number)
        product(left=left)
    assert asked == [3], f"it is counted in calls, and {needed} would do without this test"
    BUILDS.wait()
    assert call.kernel is not None
    while call.trial is not None:
        product(left=left)
    result = product(left=left)
    by_kernel = call.kernel.run([left, B], None)
    np.testing.assert_array_equal(result, by_kernel)
    assert result.strides == np.einsum("bik,kj->bij", left, B).strides
    assert asked == [3]


class _Launches:
    """A kernel that takes its time."""

    def __init__(self, seconds: float, *, works: bool = True) -> None:
        self.seconds, self.works, self.calls = seconds, works, 0

    def run(self, arrays: Sequence[Any]) -> bool:
        self.calls += 1
        end = time.thread_time() + self.seconds
        while time.thread_time() < end:
            pass
        np.einsum("bik,kj->bij", *arrays[:-1], out=arrays[-1])
        return self.works


@pytest.mark.parametrize("is_on_thread", [True, False])
@pytest.mark.parametrize("with_out", [True, False])
@pytest.mark.parametrize(("of_numpy", "of_kernel", "works"), [(0, 5e-3, True), (5e-3, 0, True), (5e-3, 0, False)])
def test_the_faster_of_numpy_and_a_new_kernel_stays(
    of_numpy: float,
    of_kernel: float,
    works: bool,
    with_out: bool,
    is_on_thread: bool,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Estimates say when a kernel is built; the clock says whether it was worth it."""
    launches, slow = _Launches(of_kernel, works=works), _Launches(of_numpy)

    def run(operands: Sequence[Any]) -> Any:
        result = np.empty(EXPECTED.shape)
        slow.run([*operands, result])
        return result

    monkeypatch.setattr(numpy_calls, "ENOUGH", math.inf)
    product()
    call = kind_of_call()
    call.plan = replace(call.plan, run=run, into=None)
    call.kernel = KernelCall(launches.run, lambda: np.empty(EXPECTED.shape), EXPECTED.dtype, is_on_thread=is_on_thread)
    call.trial = Trial(call.plan, call.kernel)
    out = np.empty(EXPECTED.shape) if with_out else None
    seen = next(iter(REMEMBERED.entries))
    for _ in range(2 * numpy_calls.TURNS):
        np.testing.assert_allclose(call.run([A, B], out), EXPECTED, rtol=1e-13)
    assert (slow.calls, launches.calls) == (numpy_calls.TURNS * (1 if works else 2), numpy_calls.TURNS)
    is_faster = works and of_kernel < of_numpy
    assert (call.kernel is not None) == is_faster
    assert kind_of_call().trial is None
    call.run([A, B], out)
    assert launches.calls == numpy_calls.TURNS + is_faster
    assert REMEMBERED.entries[seen] is call


def test_a_long_call_is_tried_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_calls, "ENOUGH", 0)
    product()
    call = kind_of_call()
    launches = _Launches(0)
    call.kernel = KernelCall(launches.run, lambda: np.empty(EXPECTED.shape), EXPECTED.dtype)
    call.trial = Trial(call.plan, call.kernel)
    for _ in range(4):
        call.run([A, B], None)
    assert launches.calls == 2
    assert kind_of_call().trial is None


def test_a_single_product_of_matrices_gets_none() -> None:
    left = RANDOM.random((300, 300))
    ef.einsum("ik,kj->ij", left, left, build="auto")
    assert kind_of_call().left == 0


def test_never_is_never_and_now_is_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(BUILDS, "ask", None)
    product("never")
    assert kind_of_call().left == 0
    REMEMBERED.entries.clear()
    first = product("now")
    assert not any(isinstance(entry, NumpyCall) for entry in REMEMBERED.entries.values())
    np.testing.assert_array_equal(product("now"), first)


def test_the_environment_decides_where_the_call_does_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EINSUM_FRONT_BUILD", "never")
    product(None)
    assert kind_of_call().left == 0
    monkeypatch.setenv("EINSUM_FRONT_BUILD", "sometimes")
    with pytest.raises(ef.CompileError, match="EINSUM_FRONT_BUILD is 'sometimes', expected one of 'auto', 'now'"):
        product(None, left=A[:3])
    with pytest.raises(ef.CompileError, match="`build` is 'soon', expected one of 'auto', 'now', 'never'"):
        product("soon")  # type: ignore[arg-type] # that is the test


@pytest.mark.parametrize("keywords", [{"device": "c"}, {"schedule": "work_group"}, {"tune": True}, {"memory": "1G"}])
def test_never_and_what_only_a_kernel_has(keywords: dict[str, Any]) -> None:
    with pytest.raises(ef.CompileError, match=r"E0230.*`build=.never.` computes with NumPy"):
        product("never", **keywords)


def test_a_device_by_name_has_a_kernel_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "c")
    product()
    assert not any(isinstance(entry, NumpyCall) for entry in REMEMBERED.entries.values())


def test_a_call_that_is_long_enough_waits_for_its_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_calls, "WORTH_WAITING", -1e12)
    product()
    assert not any(isinstance(entry, NumpyCall) for entry in REMEMBERED.entries.values())


def test_products_on_the_way_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    """A batch computes what is on the way for one element at a time, if it is much larger than operands and result."""
    monkeypatch.setattr(numpy_calls, "MUCH_MEMORY", 2**16)
    left, right = RANDOM.random((50, 30)), RANDOM.random((50, 30))
    ef.einsum("bi,bj,bk->b", left, right, left, build="auto", optimize=True)
    assert all(isinstance(entry, NumpyCall) for entry in REMEMBERED.entries.values())
    REMEMBERED.entries.clear()
    few = RANDOM.random((30, 30))
    expected = np.einsum("bi,bj,ij,jk,ik->b", left, right, few, few, few)
    found = ef.einsum("bi,bj,ij,jk,ik->b", left, right, few, few, few, build="auto")
    np.testing.assert_allclose(found, expected, rtol=1e-12)


# -- what goes wrong ---------------------------------------------------------------------------------------------------


def test_calls_go_on_where_no_compiler_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    def failing(*_given: object) -> None:
        raise failure("E0615", "a kernel was built, and cannot be loaded")

    monkeypatch.setattr(background, "find_way", failing)
    monkeypatch.setattr(ways, "_given_up", [])
    monkeypatch.setattr(numpy_calls, "KERNEL", 0)
    product()
    call = kind_of_call()
    call.left = 1
    for _ in range(3):
        product()
    BUILDS.wait()
    assert call.kernel is None
    product()


def test_a_call_that_would_wait_does_without_where_there_is_no_device(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(*_given: object) -> None:
        raise failure("E0601", "this machine has no OpenCL device")

    monkeypatch.setattr(numpy_calls, "WORTH_WAITING", -1e12)
    monkeypatch.setattr(call_in_full, "contract_on_host", missing)
    product()
    assert kind_of_call().left == 0
    with pytest.raises(ef.CompileError, match="E0601"):
        product("now")


def test_mistakes_are_told_as_ever() -> None:
    with pytest.raises(ef.CompileError, match="index `k` has size 4 in operand 1 but 3 in operand 0"):
        ef.einsum("bik,kj->bij", A[:, :, :3], B, build="auto")
    with pytest.raises(ef.CompileError, match="E0227"):
        ef.einsum("bik,kj->bix", A, B, build="never")
    with pytest.raises(ef.CompileError, match=r"E0505.*`out` has shape"):
        ef.einsum("bik,kj->bij", A, B, build="never", out=np.empty(3))
    with pytest.raises(ef.CompileError, match=r"E0507.*read-only"):
        ef.einsum("i->i", B[0], build="never", out=np.broadcast_to(B[0, 0], 4))


# -- the disk ----------------------------------------------------------------------------------------------------------

SECOND = """
import sys
import numpy as np
import einsum_front as ef
from einsum_front.index_string import numpy_calls
from einsum_front.index_string.builds import BUILDS, WORTH_BUILDING
from einsum_front.index_string.builds import REMEMBERED
numpy_calls.KERNEL = 0
A, B = np.ones((50, 4, 4)), np.ones((4, 4))
assert (ef.einsum("bik,kj->bij", A, B, build="auto") == 4).all()
(call,) = REMEMBERED.entries.values()
print(call.is_on_shelf, call.left < WORTH_BUILDING / 2)
call.left = 1
for _ in range(2):
    ef.einsum("bik,kj->bij", A, B, build="auto")
BUILDS.wait()
print(call.kernel is not None, "einsum_front.index_string.make" in sys.modules)
assert (ef.einsum("bik,kj->bij", A, B, build="auto") == 4).all()
"""


@needs_c
def test_what_another_process_has_built_is_used_much_sooner(tmp_path: Path) -> None:
    said = [run_in(tmp_path, SECOND).split() for _ in range(2)]
    assert said == [["False", "False", "True", "True"], ["True", "True", "True", "False"]]
    for path in (tmp_path / "einsum-front" / "kernels").iterdir():
        path.unlink()
    assert run_in(tmp_path, SECOND).split() == ["True", "True", "False", "False"]


def run_in(caches: Path, program: str, **variables: str) -> str:
    environment = {**os.environ, NO_CACHE_VARIABLE: "0", "XDG_CACHE_HOME": str(caches), **variables}
    run = subprocess.run(
        [sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False, timeout=120
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    return run.stdout


def test_no_shelf_without_caches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(NO_CACHE_VARIABLE, "1")
    names_on_shelf.cache_clear()
    assert names_on_shelf() == frozenset()


# -- processes ---------------------------------------------------------------------------------------------------------

START = """
import os, sys, threading, time
import numpy as np
import einsum_front as ef
from einsum_front.index_string import numpy_calls
from einsum_front.index_string.builds import BUILDS
from einsum_front.index_string.builds import REMEMBERED
assert threading.active_count() == 1
assert not [name for name in sys.modules if name.startswith(("pyopencl", "networkx", "lark", "sympy"))]
numpy_calls.KERNEL = 0
A, B = np.ones((50, 4, 4)), np.ones((4, 4))
def call():
    assert (ef.einsum("bik,kj->bij", A, B, build="auto") == 4).all()
call()
assert not [name for name in sys.modules if name.startswith(("pyopencl", "networkx", "lark", "sympy"))]
(kind,) = REMEMBERED.entries.values()
kind.left = 1
call()
assert threading.active_count() == 2
"""

FORKS = """
def child():
    pid = os.fork()
    if pid == 0:
        for _ in range(20):
            call()
        kind.left = 1
        call()
        ok = threading.active_count() == 1
        os._exit(0 if ok else 3)
    assert os.waitpid(pid, 0)[1] == 0
child()
time.sleep(0.3)
child()
BUILDS.wait()
child()
call()
"""


@needs_c
@pytest.mark.slow  # a race with a compiler: where twenty processes share two cores, it was lost in one of twelve runs
def test_the_end_of_a_process_gives_up_what_is_being_built(tmp_path: Path) -> None:
    for seconds in (0, 0.2, 0.5, 0.8):
        run_in(tmp_path, f"{START}\ntime.sleep({seconds})")
        assert not list((tmp_path / "einsum-front").glob("c/new-*"))


@needs_c
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_children_of_a_process_that_builds_go_on(tmp_path: Path) -> None:
    run_in(tmp_path, START + FORKS, PYTHONWARNINGS="ignore::DeprecationWarning")


@needs_c
def test_threads_share_what_is_built(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(numpy_calls, "KERNEL", 0)
    monkeypatch.setattr(Trial, "is_won", True)
    product()
    call = kind_of_call()
    call.left = 20 * call.saving
    wrong: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(300):
                product()
        except BaseException as error:
            wrong.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    BUILDS.wait()
    assert not wrong
    assert call.kernel is not None
    product()


def test_nothing_is_left_waiting() -> None:
    assert builds.BUILDS._thread is None
