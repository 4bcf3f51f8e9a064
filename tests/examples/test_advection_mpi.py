"""The solver of acoustic waves: order of convergence, faces that meet, the same bits on any number of ranks."""

import os
import subprocess
import sys
from functools import cache
from importlib.util import find_spec
from itertools import pairwise
from math import log2
from pathlib import Path

import numpy as np
import pytest

from einsum_front.ranks import bisect
from einsum_front.ranks.communicator import Alone
from examples.advection_mpi import solve
from examples.dg.mesh import cube, facing_rows, geometry, part_of
from examples.dg.reference import tetrahedron

ROOT = Path(__file__).parents[2]
MPIEXEC = Path(sys.executable).with_name("mpiexec")
needs_mpi = pytest.mark.skipif(
    find_spec("mpi4py") is None or not MPIEXEC.exists(), reason="needs einsum-front[mpi]: mpi4py and mpiexec"
)


def launched(*parts: str) -> subprocess.CompletedProcess[str]:
    """The solver under mpiexec: its arguments, or those of several groups of ranks with `:` between."""
    environment = {**os.environ, "POCL_DEVICES": "basic"}
    environment.pop("EINSUM_FRONT_DEVICE", None)
    command = [str(MPIEXEC), *parts]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=240, check=False)


@cache
def starts() -> bool:
    """Whether processes that mpiexec starts here find each other."""
    program = "from mpi4py import MPI; assert MPI.COMM_WORLD.allreduce(1) == 2"
    try:
        done = launched("-n", "2", sys.executable, "-m", "mpi4py", "-c", program)
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def skip_without_ranks() -> None:
    if not starts():
        pytest.skip("mpiexec starts no two processes here that find each other")


def ranks(count: int, *options: str, example: str = "advection_mpi") -> list[str]:
    return ["-n", str(count), sys.executable, "-m", "mpi4py", "-m", f"examples.{example}", *options]


@cache
def values(count: int) -> str:
    done = launched(*ranks(count, "--degree", "1", "--cells", "2", "--steps", "3"))
    assert done.returncode == 0, done.stderr
    return done.stdout.split("values ")[1].split()[0]


@pytest.mark.parametrize("degree", [1, 2, 3])
def test_order_of_convergence(degree: int) -> None:
    errors = [solve(degree, cells, 0.1, comm=Alone()).error for cells in (3, 6)]
    assert all(log2(coarse / fine) > degree + 0.5 for coarse, fine in pairwise(errors))


def test_nodes_of_neighbours_lie_at_one_place() -> None:
    mesh, reference = cube(2), tetrahedron(4)
    points = (reference.nodes @ mesh.points[mesh.corners]).reshape(-1, 3)
    rows = np.arange(len(mesh.corners))[:, None, None] * len(reference.nodes) + reference.faces
    assert abs(points[facing_rows(mesh, reference)] - points[rows]).max() < 1e-14
    assert ((facing_rows(mesh, reference) == rows).all(axis=2) == (mesh.neighbours < 0)).all()


def test_elements_fill_the_cube_and_are_closed() -> None:
    shape = geometry(cube(3))
    assert abs(shape.volumes.sum() - 1) < 1e-13
    assert abs((shape.normals * shape.areas[..., None]).sum(axis=1)).max() < 1e-14


def test_what_one_rank_sends_is_what_the_other_expects() -> None:
    mesh, reference = cube(1), tetrahedron(2)
    owner = bisect(mesh.centres, 8)  # of 6 elements: two ranks have none
    parts = [part_of(mesh, reference, owner, rank) for rank in range(8)]
    assert sorted(np.concatenate([part.elements for part in parts]).tolist()) == list(range(6))
    for here, part in enumerate(parts):
        assert {there: len(rows) for there, rows in part.sends.items()} == {
            there: places.stop - places.start
            for there, other in enumerate(parts)
            if (places := other.receives.get(here))
        }


@needs_mpi
@pytest.mark.parametrize("count", [2, pytest.param(4, marks=pytest.mark.slow), pytest.param(8, marks=pytest.mark.slow)])
def test_the_same_bits_on_any_number_of_ranks(count: int) -> None:
    skip_without_ranks()
    assert values(count) == values(1)


@needs_mpi
@pytest.mark.slow
def test_ranks_without_elements_take_part() -> None:
    skip_without_ranks()
    done = launched(*ranks(8, "--degree", "1", "--cells", "1", "--steps", "1"))
    assert done.returncode == 0, done.stderr
    assert "6 elements on 8 ranks" in done.stdout


@needs_mpi
def test_a_device_that_one_rank_lacks_ends_all_with_an_error() -> None:
    skip_without_ranks()
    done = launched(*ranks(1, "--cells", "1"), ":", *ranks(1, "--cells", "1", "--device", "nothing"))
    assert done.returncode != 0
    assert "rank 1: error[E0602]: there is no OpenCL device `nothing`" in done.stderr
    assert "rank 0: error[E0638]: compiling failed on rank 1 of 2" in done.stderr
    assert "Traceback" not in done.stderr
