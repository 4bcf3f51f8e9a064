"""Devices that are not there, or lack what a kernel needs."""

from dataclasses import replace

import numpy as np
import pyopencl as cl
import pytest

from einsum_front.core.diagnostics import CompileError, render_all
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices import context, device, opencl
from einsum_front.runtime.devices.device import find_device
from einsum_front.runtime.devices.facts import SharedMemory
from einsum_front.runtime.devices.registration import VARIABLES
from einsum_front.runtime.launches.launch import Kernel
from tests.runtime.kernels import DEVICE, FILL, NAME, POINTERS, VOLUME, constant, kernel, tensor, words
from tests.runtime.test_device import DEBIAN, INTEL, WHEEL, devices


def no_device(name: str) -> str:
    with pytest.raises(CompileError) as caught:
        find_device(name)
    return render_all(caught.value.diagnostics)


def test_none_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_platforms() -> list[cl.Platform]:
        raise cl.LogicError("clGetPlatformIDs", -1001, "PLATFORM_NOT_FOUND_KHR")

    monkeypatch.setattr(cl, "get_platforms", no_platforms)
    for variable in VARIABLES:
        monkeypatch.delenv(variable, raising=False)
    assert (
        no_device("gpu")
        == """\
error[E0601]: this machine has no OpenCL device
  = note: `pip install pyopencl[pocl]` makes the CPU one (Linux on x86-64); GPUs come with their vendor's driver
  = note: device `c` needs no driver, but a C compiler"""
    )


def test_device_that_cannot_be_used(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_context(devices: list[cl.Device]) -> cl.Context:
        raise cl.RuntimeError("clCreateContext", -2, "DEVICE_NOT_AVAILABLE")

    monkeypatch.setattr(context, "_CONTEXTS", {})
    monkeypatch.setattr(cl, "Context", no_context)
    with pytest.raises(CompileError) as caught:
        kernel(FILL)(first=0, C=np.zeros(1))
    assert render_all(caught.value.diagnostics).startswith(f"error[E0601]: device `{NAME}` cannot be used: ")


def test_no_such_device(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_devices", lambda: devices(WHEEL, INTEL))
    listed = """
  = note: device 0: pthread-Zen · PoCL 3.0 (Python wheel) · OpenCL 3.0 PoCL 3.0-rc2 · CPU
  = note: device 1: Zen · Intel CPU runtime · OpenCL 3.1 LINUX · CPU
  = note: device `c` needs no driver, but a C compiler"""
    assert no_device("gpu") == "error[E0602]: there is no OpenCL device `gpu`" + listed
    monkeypatch.setenv("EINSUM_FRONT_DEVICE", "2")
    assert no_device("auto") == "error[E0602]: there is no OpenCL device `2` (from EINSUM_FRONT_DEVICE)" + listed


def test_several_devices(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(device, "_devices", lambda: devices(WHEEL, INTEL, DEBIAN))
    assert (
        no_device("pocl")
        == """\
error[E0603]: `pocl` is the name of 2 OpenCL devices
  = note: device 0: pthread-Zen · PoCL 3.0 (Python wheel) · OpenCL 3.0 PoCL 3.0-rc2 · CPU
  = note: device 2: pthread-Zen · PoCL · OpenCL 3.0 PoCL 3.1+debian · CPU"""
    )


def test_what_the_device_lacks() -> None:
    demanding = replace(VOLUME, local_memory=64 * 1024, work_group_size=(64, 32))
    with pytest.raises(CompileError) as caught:
        kernel(demanding, has_fp64=False, local_memory=32768, max_work_group_size=1024)
    assert (
        render_all(caught.value.diagnostics)
        == f"""\
error[E0605]: `volume` does not run on `{NAME}`: it computes with f64, which the device does not know

error[E0605]: `volume` does not run on `{NAME}`: it needs 65536 bytes of local memory, the device has 32768

error[E0605]: `volume` does not run on `{NAME}`: its work-groups have 64x32 work-items, the device allows 1024"""
    )


def test_group_without_shared_memory() -> None:
    grouped = kernel(POINTERS, shared_memory=SharedMemory.NONE)
    assert (
        words(grouped, P=[np.zeros((2, 1))], R=[np.zeros(2)])
        == f"""\
error[E0606]: `{NAME}` has no shared virtual memory, so it cannot follow the pointers of group `P`
  = note: a batched tensor, whose elements lie at a fixed distance, needs none
  = note: no output has changed"""
    )


def test_no_memory() -> None:
    """More than any address space has; the array claims it without having it."""
    huge = np.lib.stride_tricks.as_strided(np.zeros(1), (2**50,), (8,))
    artifact = Artifact("sum", "", (constant("A", (None,)),), (1, 1), 0, needs_fp64=True)
    text = words(Kernel(replace(artifact, source="kernel void sum(global double* A, long n) {}"), DEVICE), A=huge)
    assert text.startswith(f"error[E0607]: no memory for argument `A` on `{NAME}`: ")
    assert text.endswith("\n  = note: no output has changed")


def test_one_element_is_too_large() -> None:
    limited = kernel(VOLUME, max_allocation=100)
    assert (
        words(limited, dt=1.0, K=np.zeros((4, 5)), I=np.zeros((2, 5, 3)), Q=np.zeros((2, 4, 3)))
        == f"""\
error[E0607]: `{NAME}` has no memory for one element of the batch"""
    )


def test_too_many_work_groups() -> None:
    limited = replace(DEVICE.facts.driver, max_groups=65_535)
    assert (
        words(kernel(FILL, driver=limited), 70_000, first=0, C=np.zeros(70_000))
        == f"""\
error[E0609]: `{NAME}` takes 65535 work-groups in a launch, not 70000, and `C` cannot be split"""
    )
    nothing = Artifact("idle", "kernel void idle() {}", (), (1, 1), 0, needs_fp64=False)
    assert (
        words(kernel(nothing, driver=limited), 70_000)
        == f"""\
error[E0609]: `{NAME}` takes 65535 work-groups in a launch, not 70000, and no argument is batched"""
    )


def test_tables_for_the_whole_launch_keep_a_batch_together() -> None:
    parameters = (constant("table", (None,)), tensor("C", (), "w"), constant("total", (3,), "rw"))
    limited = kernel(replace(FILL, parameters=parameters), max_allocation=64)
    assert (
        words(limited, table=np.zeros(9), C=np.zeros(9), total=np.zeros(3))
        == f"""\
error[E0609]: `{NAME}` takes 8 work-groups in a launch, not 9, and `table` and `total` cannot be split"""
    )


def test_a_process_made_by_fork(monkeypatch: pytest.MonkeyPatch) -> None:
    """Real ones are in tests/runtime/test_forked.py."""
    monkeypatch.setattr(opencl, "_is_lost", True)
    assert (
        no_device("auto")
        == """\
error[E0611]: this process was made by fork and cannot use the OpenCL devices of its parent
  = note: its parent had asked for devices: threads of their drivers stayed there, and waiting for them never ends
  = note: `multiprocessing.get_context("spawn")` makes processes that can use them, as does a fork before any use"""
    )
