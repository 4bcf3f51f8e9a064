"""The solver in C++, built as its README says: order of convergence, speed of the wave, no allocation in steps."""

import os
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from einsum_front.__main__ import main
from tests.package.building import HERE, compiled, loader, needs, run

SOLVER = Path(__file__).parents[2] / "examples" / "cpp_solver"
QUICK = ("-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_C_FLAGS_DEBUG=-O1", "-DCMAKE_CXX_FLAGS_DEBUG=-O1 -Werror")
"""Little time in compilers, and calls that check the sizes of memory."""


def built(order: int, target: str, folder: Path, *options: str) -> Path:
    """The program, with kernels from the command line."""
    cmake = needs("cmake")
    needs("g++")
    package = folder / "package"
    text = str(SOLVER / "acoustic.ein")
    assert main(["package", text, "--target", target, "-D", f"O={order}", "-o", str(package)]) == 0
    build = folder / "build"
    for command in (
        [cmake, "-S", SOLVER, "-B", build, f"-DKERNELS={package}", "-DCMAKE_CXX_COMPILER=g++", *QUICK, *options],
        [cmake, "--build", build],
    ):
        done = compiled(command)
        assert done.returncode == 0, done.stdout + done.stderr
    return build / "acoustic_waves"


def run_on_two_threads(program: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Threads that wait let others work on a machine with few processors."""
    threads = {**os.environ, "OMP_NUM_THREADS": "2", "OMP_WAIT_POLICY": "passive"}
    return subprocess.run([program, *words], capture_output=True, text=True, env=threads, check=False, timeout=100)


def rows(printed: str) -> list[list[float]]:
    """The numbers of the table: cells, steps, error, order, speed, allocations, time."""
    return [[float(word) for word in line.split()] for line in printed.splitlines()[2:]]


def assert_waves_are_right(table: Iterable[list[float]], order: int) -> None:
    (_, _, coarse, *_), (_, _, fine, observed, speed, *_) = table
    assert fine < coarse
    assert observed >= order - 0.3
    assert speed == pytest.approx(1.5, rel=0.01)


def test_waves_in_c(tmp_path: Path) -> None:
    program = built(3, "c", tmp_path)
    done = run_on_two_threads(program, "--check", "4", "8")
    assert done.returncode == 0, done.stdout + done.stderr
    table = rows(done.stdout)
    assert_waves_are_right(table, 3)
    assert [row[5] for row in table] == [0, 0]

    assert run_on_two_threads(program, "1", "2").returncode == 0
    assert run_on_two_threads(program, "--check", "1", "2").returncode == 1  # too few cells for this order
    assert run_on_two_threads(program, "many").returncode == 2


@pytest.mark.slow
def test_waves_in_opencl(tmp_path: Path) -> None:
    """In memory that the host and the device share."""
    found = [f"-DOpenCL_LIBRARY={loader()}", f"-DOpenCL_INCLUDE_DIR={HERE / 'opencl'}"]
    program = built(2, "opencl", tmp_path, "-DOPENCL=ON", *found)
    done = run(program, tmp_path / "caches")
    assert done.returncode == 0, done.stdout + done.stderr
    assert_waves_are_right(rows(done.stdout)[-2:], 2)
