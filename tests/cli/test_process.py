"""What a shell sees: interrupts, closed pipes, full disks, narrow character sets, machines without a device."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from einsum_front.cli import main
from einsum_front.runtime.devices.c_compiler import NAMES
from einsum_front.runtime.devices.registration import VARIABLES
from einsum_front.runtime.launches.bound import Launch

COMMAND = [sys.executable, "-m", "einsum_front"]
ROOT = Path(__file__).parents[2]
SHORT_TUNING = """
import sys
from einsum_front.cli import main
from einsum_front.driver import tune
tune.MOST_RECIPES, tune._batches = 2, lambda *_: (64, 1000)
sys.exit(main())
"""


needs_compiler = pytest.mark.skipif(
    "CC" not in os.environ and not any(map(shutil.which, NAMES)), reason="no C compiler on this machine"
)


def without_places() -> dict[str, str]:
    """The environment without what says where drivers are: loaders differ in which of these they read."""
    return {name: value for name, value in os.environ.items() if name not in VARIABLES}


def started(*arguments: str, stdout: int, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited = without_places() if environment.keys() & VARIABLES else os.environ
    return subprocess.run(
        [*COMMAND, *arguments],
        stdout=stdout,
        stderr=subprocess.PIPE,
        env={**inherited, "PYTHONPATH": str(ROOT), **environment},
        encoding="utf-8",
        check=False,
    )


# -- interrupts --------------------------------------------------------------------------------------------------------


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """Interrupts raise, also where pytest was started in the background of a shell, which has them ignored."""
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, handler)


@pytest.mark.usefixtures("_interruptible")
def test_an_interrupt_ends_a_run(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    runs = []
    run = Launch.run

    def interrupted(launch: Launch) -> object:
        runs.append(launch)
        if len(runs) == 3:
            os.kill(os.getpid(), signal.SIGINT)
        assert len(runs) < 1000
        return run(launch)

    monkeypatch.setattr(Launch, "run", interrupted)
    assert main(["run", "wave.ein", "--repeat", "1000000000"]) == 130
    assert capsys.readouterr() == ("", "interrupted\n")


KILLED = """
import os, sys

class Killer:
    def find_spec(self, name, path, target=None):
        if name == "einsum_front.core.diagnostics":
            os.kill(os.getpid(), 2)

sys.meta_path.insert(0, Killer())
"""


@pytest.mark.parametrize("script", ["einsum_front.__main__", "examples.ader_dg.__main__"])
def test_an_interrupt_while_the_compiler_is_loaded_says_nothing(script: str) -> None:
    code = f"{KILLED}\nimport {script}"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (-signal.SIGINT, b"", b"")


# -- where the output goes ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["compile wave.ein", "explain wave.ein", "run wave.ein --verify", "devices"])
def test_a_reader_that_has_seen_enough_is_no_error(command: str) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    ended = started(*command.split(), stdout=writing)
    os.close(writing)
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="a device of Linux")
@pytest.mark.parametrize("command", ["compile wave.ein", "run wave.ein"])
def test_a_full_disk_is_said(command: str) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    ended = started(*command.split(), stdout=full)
    os.close(full)
    assert ended.returncode == 1
    assert ended.stderr == "cannot write the standard output: no space left on device\n"


def test_a_terminal_without_our_characters_gets_others() -> None:
    ended = started("run", "wave.ein", "--kernel", "volume", stdout=subprocess.PIPE, PYTHONIOENCODING="ascii")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.startswith("volume: 1 element (--batch N for more) in ")


@pytest.mark.parametrize("command", ["check wave.ein", "explain wave.ein", "run wave.ein"])
def test_a_closed_output_is_no_traceback(command: str) -> None:
    code = f"import sys; from einsum_front.cli import main; sys.stdout = None; sys.exit(main({command.split()}))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


def test_a_closed_input_is_said() -> None:
    code = (
        "import sys; from einsum_front.cli import main; sys.stdin = None; sys.exit(main(['check', '-', '--from=ein']))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    ended = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 1
    assert ended.stderr == "error[E0105]: cannot read the standard input: it is closed\n"


def test_caches_need_not_be_writable(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    unset = {name: value for name, value in os.environ.items() if name not in ("POCL_CACHE_DIR", "PYOPENCL_NO_CACHE")}
    environment = {**unset, "PYTHONPATH": str(ROOT), "XDG_CACHE_HOME": str(blocked / "caches")}
    command = [sys.executable, "-m", "einsum_front", "run", "wave.ein", "--kernel", "volume"]
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stderr) == (0, "")


# -- machines without a device -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("command", ["check wave.ein", "explain wave.ein", "compile wave.ein"])
def test_translating_needs_no_device(command: str) -> None:
    ended = started(*command.split(), stdout=subprocess.DEVNULL, OCL_ICD_VENDORS="/nowhere")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_translating_in_python_needs_none_either() -> None:
    code = "import einsum_front as ef; kernel = ef.compile(ef.parse('wave.ein'))['volume']; print(kernel.plan)"
    environment = {**without_places(), "PYTHONPATH": str(ROOT), "OCL_ICD_VENDORS": "/nowhere", **NO_COMPILER}
    command = [sys.executable, "-c", f"{code}; kernel()"]
    ended = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 1
    assert ended.stdout.startswith("plan volume: ")
    assert "CompileError: error[E0601]: this machine has no OpenCL device" in ended.stderr


NO_COMPILER = {"PATH": "/nowhere", "CC": ""}
INSTALL = (
    "  = note: `pip install pyopencl[pocl]` makes the CPU one (Linux on x86-64); GPUs come with their vendor's driver\n"
)
LOOKED_FOR = "  = note: drivers are looked for where `OCL_ICD_VENDORS` says: `/nowhere`\n"


@pytest.mark.parametrize("command", ["run wave.ein", "devices"])
def test_running_does(command: str) -> None:
    """A driver, or a C compiler: without both it is one error that says both."""
    ended = started(*command.split(), stdout=subprocess.PIPE, OCL_ICD_VENDORS="/nowhere", **NO_COMPILER)
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr == (
        "error[E0601]: this machine has no OpenCL device\n"
        f"{INSTALL}"
        "  = note: device `c` needs a C compiler, and this machine has none\n"
        "  = note: none of `gcc`, `clang`, `cc` is on `PATH`, and `CC` names none\n"
        f"{LOOKED_FOR}"
    )


def test_a_device_by_name_is_one_of_a_driver() -> None:
    ended = started("compile", "wave.ein", "--device", "0", stdout=subprocess.PIPE, OCL_ICD_VENDORS="/nowhere")
    assert (ended.returncode, ended.stdout) == (3, "")
    assert ended.stderr == (
        "error[E0601]: this machine has no OpenCL device\n"
        f"{INSTALL}"
        "  = note: device `c` needs no driver, but a C compiler\n"
        f"{LOOKED_FOR}"
    )


INSTEAD = (
    "warning: this machine has no OpenCL device{}: kernels run on the processor, through the C compiler (device `c`)\n"
)


@needs_compiler
@pytest.mark.parametrize("command", [
    "run wave.ein --verify", "devices", pytest.param("run wave.ein --tune --no-cache", marks=pytest.mark.slow),
])  # fmt: skip
def test_without_a_driver_a_compiler_will_do(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.COMMAND", [sys.executable, "-c", SHORT_TUNING])
    ended = started(*command.split(), stdout=subprocess.PIPE, OCL_ICD_VENDORS="/nowhere")
    assert ended.returncode == 0
    assert ended.stderr.count(INSTEAD.format("")) == 1
    assert ended.stdout


@needs_compiler
@pytest.mark.parametrize("stands_in_the_way", ["raise ImportError('libOpenCL.so.1: cannot open')", "1 / 0"])
def test_a_pyopencl_that_does_not_load(stands_in_the_way: str, tmp_path: Path) -> None:
    """Python says the same to all doors, once."""
    (tmp_path / "pyopencl.py").write_text(stands_in_the_way)
    code = """
import numpy as np, einsum_front as ef
A = np.arange(8.0).reshape(2, 2, 2)
for _ in range(2):
    assert np.array_equal(ef.einsum("bij,bjk->bik", A, A), A @ A)
kernel = ef.compile(ef.parse("tensor A[2,2]\\ntensor C[2,2]\\nkernel k { C[ij] = A[ik] * A[kj] }"))["k"]
C = np.zeros_like(A)
kernel(A=A, C=C)
launch = kernel.prepare(A=A, C=C)
launch.run()
launch.finish()
assert np.array_equal(C, A @ A)
"""
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{ROOT}"}
    command = [sys.executable, "-c", code]
    ended = subprocess.run(command, env=environment, capture_output=True, encoding="utf-8", check=False)
    assert ended.returncode == 0, ended.stderr
    assert ended.stderr.count("this machine has no OpenCL device (pyopencl does not load: ") == 1
    assert "Traceback" not in ended.stderr
