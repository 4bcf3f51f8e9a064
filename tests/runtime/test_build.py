"""Programs are built once, and one that does not compile is our mistake."""

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from sqlite3 import DatabaseError

import numpy as np
import pyopencl as cl
import pytest

from einsum_front.core.diagnostics import CompilerBug
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.launches import build
from tests.runtime.kernels import DEVICE, FILL, kernel, tensor

ROOT = Path(__file__).parents[2]


def test_a_source_is_built_once() -> None:
    source = FILL.source + "// built once\n"
    programs = [
        build.build(replace(FILL, source=source), DEVICE.context, DEVICE.handle).take().each[0].program.int_ptr
        for _ in range(3)
    ]
    assert len(set(programs)) == 1


def test_launches_take_kernel_objects_from_those_that_have_ended(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each new one is milliseconds and memory that pyopencl never frees; two launches share none."""
    made = []
    kernel_type = cl.Kernel

    def counted(program: cl.Program, name: str) -> cl.Kernel:
        made.append(name)
        return kernel_type(program, name)

    monkeypatch.setattr(cl, "Kernel", counted)
    fill = kernel(replace(FILL, source=FILL.source + "// taken again\n"))
    for number in range(100):
        alive = [fill.prepare(5, first=first, C=(C := np.zeros(5))) for first in (number, -number)]
        for launch in alive:
            launch.run()
            launch.finish()
        assert C[4] == 4 - number
    assert len(made) == 5  # one shows that the program has it; names hold two launches until two others are there


def python(code: str, *options: str) -> tuple[str, str]:
    """What a process prints, and says on standard error, where pyopencl has no cache for the modules that it makes."""
    environment = {**os.environ, "PYOPENCL_NO_CACHE": "1"}
    command = [sys.executable, *options, "-c", code]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert not ended.returncode, f"{ended.returncode}: {ended.stderr}"
    return ended.stdout, ended.stderr


GROWTH = """
import numpy as np
from tests.runtime.kernels import FILL, kernel

def resident():
    return int(open("/proc/self/statm").read().split()[1]) * 4096

fill, C = kernel(FILL), np.zeros(5)
for number in range(12_000):
    if number == 2_000:
        before = resident()
    fill.prepare(5, first=1, C=C)
print(resident() - before)
"""


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="Linux tells how much memory a process has")
def test_launches_that_are_gone_leave_nothing() -> None:
    """With kernel objects of their own they left 5 KB each where pyopencl has no cache: 50 MB here."""
    grown, _ = python(GROWTH)
    assert int(grown) < 10_000_000


THREADS = """
import sys
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from tests.runtime.kernels import FILL, kernel

sys.setswitchinterval(1e-6)
fill, arrays = kernel(FILL), [np.zeros(5) for _ in range(200)]
with ThreadPoolExecutor(8) as threads:
    launches = list(threads.map(lambda C: fill.prepare(5, first=3, C=C), arrays))
for launch in launches:
    launch.run()
    launch.finish()
print(sum(int(C.sum()) for C in arrays))
"""


def test_threads_prepare_without_warnings() -> None:
    """The Python modules that pyopencl makes for kernel objects got the same names."""
    assert python(THREADS, "-W", "always") == ("5000\n", "")


def test_source_that_does_not_compile_is_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    broken = replace(FILL, source=FILL.source.replace("(double)", "(dubble)"))
    with pytest.raises(CompilerBug) as caught:
        kernel(broken)(first=0, C=np.zeros(1))
    (path,) = tmp_path.glob("einsum-front/rejected/*.cl")
    assert str(caught.value) == f"the generated OpenCL C does not compile; source and messages are in {path}"
    text = path.read_text()
    assert text.startswith(broken.source)
    assert "dubble" in text.removeprefix(broken.source)


def test_source_that_can_be_kept_nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "einsum-front").write_text("a file, not a folder")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    broken = replace(FILL, source=FILL.source.replace("(double)", "(duple)"))
    with pytest.raises(CompilerBug, match="the generated OpenCL C does not compile:") as caught:
        kernel(broken)(first=0, C=np.zeros(1))
    assert broken.source in str(caught.value)


DIVIDE = Artifact(
    "divide",
    """
kernel __attribute__((reqd_work_group_size(1, 1, 1)))
void divide(global float const* A, long batch_A, global float const* B, long batch_B, global float* C, long batch_C) {
  for (int i = 0; i < 1000; ++i) {
    long at = 1000 * (long)get_group_id(2) + i;
    C[at] = A[at] / B[at];
  }
}
""",
    tuple(tensor(name, (1000,), access, type="f32") for name, access in (("A", "r"), ("B", "r"), ("C", "w"))),
    (1, 1),
    0,
    needs_fp64=False,
)
"""C[i] = A[i] / B[i] in f32."""


@pytest.mark.skipif(not build.rounds_quotients(DEVICE.handle), reason="the device does not round quotients of f32")
def test_quotients_are_those_of_numpy() -> None:
    """All bit patterns, infinities and NaN among them; without being asked an H200 differs in a fifth of these."""
    random = np.random.default_rng(0)
    left, right = (random.integers(0, 2**32, (100, 1000), dtype=np.uint32).view(np.float32) for _ in range(2))
    result = np.zeros_like(left)
    kernel(DIVIDE)(A=left, B=right, C=result)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(result, left / right)


@pytest.mark.parametrize("is_driver_first", [True, False])
def test_both_caches_may_be_damaged(is_driver_first: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is found behind the other; what fails twice in the same way fails for another reason."""
    monkeypatch.setattr(cl, "_PYOPENCL_NO_CACHE", False)
    monkeypatch.setattr(build, "distrust", lambda: told.append("PoCL"))
    told: list[str] = []
    of_driver, of_pyopencl = cl.LogicError("a cut file"), DatabaseError("malformed")
    errors: list[Exception] = [of_driver, of_pyopencl] if is_driver_first else [of_pyopencl, of_driver]
    names = []

    def make(name: str | None) -> str:
        names.append(name)
        if errors:
            raise errors.pop(0)
        return "made"

    with pytest.warns(RuntimeWarning, match="the caches of pyopencl are damaged"):
        assert build._in_spite_of_caches(make, keeps_kernels=True) == "made"
    assert (names[0], len({*names}), told) == (None, 3, ["PoCL"])
    errors = [of_driver, of_pyopencl, of_driver]
    with pytest.raises(cl.LogicError, match="a cut file"):
        build._in_spite_of_caches(make, keeps_kernels=True)
