"""One run of PyFR: `python -m examples.pyfr.worker MESH CONFIGURATION BACKEND SOLUTION` prints what it took as JSON."""

import json
import sys
import time

import numpy as np
from pyfr.backends import get_backend
from pyfr.inifile import Inifile
from pyfr.mpiutil import init_mpi
from pyfr.readers.native import NativeReader
from pyfr.solvers import get_solver

from examples.pyfr.provider import Backend

PIECES = 7
"""Parts of the steps, of whose times the median is taken."""


def main(mesh: str, configuration: str, backend: str, solution: str) -> None:
    """Runs to the end of the configuration."""
    init_mpi()
    start = time.perf_counter()
    cfg = Inifile.load(configuration)
    made = get_backend(backend, cfg)
    solver = get_solver(made, NativeReader(mesh).mesh, None, cfg)
    built = time.perf_counter() - start
    solver.advance_to(cfg.getfloat("solver-time-integrator", "dt"))  # the first step warms up
    wall, processor = [], []
    begin = solver.tcurr
    for piece in range(1, PIECES + 1):
        steps, start, before = solver.nacptsteps, time.perf_counter(), time.process_time()
        solver.advance_to(begin + (solver.tend - begin) * piece / PIECES)
        steps = solver.nacptsteps - steps
        wall.append((time.perf_counter() - start) / steps)
        processor.append((time.process_time() - before) / steps)
    np.save(solution, np.concatenate([np.ravel(each) for each in solver.soln]))
    choices = made.choices if isinstance(made, Backend) else []
    json.dump({"built": built, "wall": wall, "processor": processor, "choices": choices}, sys.stdout)


if __name__ == "__main__":
    main(*sys.argv[1:])
