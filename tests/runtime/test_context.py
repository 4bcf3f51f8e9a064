"""One context for each device, the caller's if there is one."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from types import SimpleNamespace
from typing import cast

import pyopencl as cl
import pytest

from einsum_front.core.diagnostics import CompileError, render_all
from einsum_front.runtime.devices import context
from einsum_front.runtime.devices.drivers import driver_of
from tests.runtime.kernels import DEVICE

CALLER_COMES_FIRST = """
import numpy, pyopencl, pyopencl.array
from tests.runtime.kernels import DEVICE, FILL, kernel
theirs = pyopencl.Context([DEVICE.handle])
C = pyopencl.array.zeros(pyopencl.CommandQueue(theirs), 3, numpy.float64)
fill = kernel(FILL)
fill(3, first=5, C=C)
assert fill.device.context == theirs
print(C.get())
"""


def test_the_context_of_the_caller_is_kept() -> None:
    run = subprocess.run([sys.executable, "-c", CALLER_COMES_FIRST], capture_output=True, text=True, check=False)
    assert (run.stdout, run.returncode) == ("[5. 6. 7.]\n", 0), run.stderr


def test_a_device_has_one_context() -> None:
    assert DEVICE.context is DEVICE.context
    assert DEVICE.queue is DEVICE.queue


def test_threads_make_one_context(monkeypatch: pytest.MonkeyPatch) -> None:
    made = []

    def make(devices: list[cl.Device]) -> object:
        time.sleep(0.05)  # the other thread asks meanwhile
        made.append(devices)
        return object()

    monkeypatch.setattr(context, "_CONTEXTS", {})
    monkeypatch.setattr(cl, "Context", make)
    with ThreadPoolExecutor(2) as threads:
        first, second = threads.map(context.context_of, [DEVICE.handle] * 2)
    assert first is second
    assert made == [[DEVICE.handle]]


@dataclass(frozen=True)
class FakePlatform:
    name: str
    version: str


@dataclass(frozen=True)
class FakeDevice:
    platform: FakePlatform
    version: str = "OpenCL 3.0"


def context_of(*devices: FakeDevice) -> cl.Context:
    """All that is asked of a context of the caller."""
    return cast("cl.Context", SimpleNamespace(devices=devices))


def test_compilers_that_crash_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    wheel = FakeDevice(FakePlatform("Portable Computing Language", "OpenCL 3.0 PoCL 3.0-rc2"))
    intel = FakeDevice(FakePlatform("Intel(R) OpenCL", "OpenCL 3.1 LINUX"))
    gpu = FakeDevice(FakePlatform("NVIDIA CUDA", "OpenCL 3.0 CUDA 13.0"))
    monkeypatch.setattr(context, "_CONTEXTS", {})
    context.adopt(context_of(wheel))
    context.adopt(context_of(gpu, wheel))
    of_wheel, of_intel, of_gpu = (driver_of(each.platform.name, each.platform.version) for each in (wheel, intel, gpu))
    assert [context.excluded_by(driver) for driver in (of_wheel, of_intel, of_gpu)] == [None, of_wheel, None]
    with pytest.raises(CompileError) as caught:
        context.adopt(context_of(intel))
    assert (
        render_all(caught.value.diagnostics)
        == """\
error[E0604]: `Intel CPU runtime` cannot be used in this process, which already uses `PoCL 3.0 (Python wheel)`
  = note: each of the two brings its own compiler, and both in one process crash"""
    )
