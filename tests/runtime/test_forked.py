"""Children made by fork: those of a process that used a device are told so, all others work. None of them hangs."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from tests.runtime.kernels import DEVICE

ROOT = Path(__file__).parents[2]

PARENT = """
import multiprocessing, os, sys
import numpy as np
import pyopencl as cl
import pyopencl.array
import einsum_front as ef
from einsum_front.runtime import available_devices, find_device

TEXT = "tensor A[4,4]\\ntensor B[4,4]\\ntensor C[4,4]\\nkernel k { C[i,j] = A[i,k] * B[k,j] }"
arrays = {name: np.ones((3, 4, 4)) for name in "ABC"}

def attempt(use):
    try:
        use()
    except ef.CompileError as error:
        print(error.diagnostics[0].code)
    else:
        print("done")

def in_child(use):
    sys.stdout.flush()
    child = multiprocessing.get_context("fork").Process(target=attempt, args=(use,))
    child.start()
    child.join(60)
    print("ended" if child.exitcode == 0 else f"exit code {child.exitcode}")
    child.kill()

def call():
    ef.compile(ef.parse(TEXT))["k"](**arrays)
"""
"""A child that hangs is ended after a minute."""


def printed(code: str) -> list[str]:
    command = [sys.executable, "-c", PARENT + textwrap.dedent(code)]
    ended = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")
    return ended.stdout.split()


USES = (
    "compiled['k'](**arrays)",
    "compiled['k'].prepare(**arrays)",
    "compiled['k'].to_device('A', arrays['A'])",
    "launch.run()",
    "launch.finish()",
    "ef.compile(ef.parse(TEXT))",
    "ef.einsum('bik,kj->bij', np.ones((2, 3, 4)), np.ones((4, 5)))",
    "ef.einsum('bij->bji', there)",
    "ef.to_host(there)",
    "find_device()",
    "available_devices()",
)


def test_a_child_of_a_process_with_a_device_is_told() -> None:
    """The launch is still running when its process forks."""
    code = """
    compiled = ef.compile(ef.parse(TEXT))
    there = compiled["k"].to_device("A", arrays["A"])
    launch = compiled["k"].prepare(**arrays)
    launch.run()
    """
    children = "".join(f"in_child(lambda: {use})\n" for use in USES)
    found = printed(f"{textwrap.dedent(code)}{children}launch.finish()\nprint(int(arrays['C'].sum()))")
    seen = zip(found[:-1:2], found[1:-1:2], strict=True)
    assert dict(zip(USES, seen, strict=True)) == dict.fromkeys(USES, ("E0611", "ended"))
    assert found[-1] == "192"


@pytest.mark.parametrize(
    "before", ["ef.compile(ef.parse(TEXT))", "available_devices()", "cl.get_platforms()[0].get_devices()"]
)
def test_translating_and_asking_are_uses(before: str) -> None:
    """Also where the caller asked pyopencl, and us nothing."""
    assert printed(f"{before}\nin_child(call)") == ["E0611", "ended"]


def test_a_child_that_was_forked_before_works() -> None:
    """As does its parent then; a child of the child does not."""
    code = """
    def call_and_fork():
        call()
        in_child(call)

    in_child(call_and_fork)
    call()
    print(int(arrays["C"].sum()))
    """
    assert printed(code) == ["E0611", "ended", "done", "ended", "192"]


def test_a_spawned_child_works(tmp_path: Path) -> None:
    """As the error proposes; a spawned process reads the script again."""
    main = """
    if __name__ == "__main__":
        call()
        child = multiprocessing.get_context("spawn").Process(target=attempt, args=(call,))
        child.start()
        child.join()
    """
    script = tmp_path / "script.py"
    script.write_text(PARENT + textwrap.dedent(main), encoding="utf-8")
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, str(script)]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300, check=False)
    assert (ended.stdout, ended.stderr) == ("done\n", "")


@pytest.mark.skipif(not DEVICE.facts.is_cpu, reason="NVIDIA's driver crashes where such a child ends as Python does")
def test_a_child_that_ends_as_python_does_waits_for_nothing() -> None:
    """Finalizers and `atexit` run in it, with a launch of the parent that is still running."""
    code = """
    launch = ef.compile(ef.parse(TEXT))["k"].prepare(**arrays)
    launch.run()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        del launch
        sys.exit(7)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    launch.finish()
    print(int(arrays["C"].sum()))
    """
    assert printed(code) == ["7", "192"]
