"""A vortex in a periodic box by PyFR, with its own kernels and with ours beside them.

    make pyfr LIBXSMM=…/libxsmm.so
    build/pyfr/bin/python -m examples.pyfr --shape tet --order 3 [--system euler] [--real f32] [--threads 2]

PyFR's tuner measures LIBXSMM's and our kernel for each product, and takes ours if it takes less than 0.95 of the time.
Prints both times, the share of products that are ours, the time of a step and the difference of the solutions.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from examples.pyfr.box import configuration, mesh

ELEMENTS = {"quad": 64, "tri": 48, "hex": 10, "tet": 7, "pri": 9, "pyr": 6}
"""Squares or cubes in each direction."""

BACKENDS = {"PyFR": "openmp", "with ours": "openmp-einsum-front"}


def main() -> None:
    """Runs both in turns."""
    parser = argparse.ArgumentParser(prog="python -m examples.pyfr")
    parser.add_argument("--shape", choices=sorted(ELEMENTS), default="tet")
    parser.add_argument("--system", choices=("euler", "navier-stokes"), default="navier-stokes")
    parser.add_argument("--order", type=int, default=3)
    parser.add_argument("--elements", type=int)
    parser.add_argument("--steps", type=int, default=29)
    parser.add_argument("--real", choices=("f64", "f32"), default="f64")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    if "PYFR_XSMM_LIBRARY_PATH" not in os.environ:
        sys.exit("the variable PYFR_XSMM_LIBRARY_PATH names PyFR's library of kernels: libxsmm.so, version 2")
    elements = given.elements or ELEMENTS[given.shape]
    dt = 0.002 * 16 / elements / (given.order + 1) ** 2
    precision = "double" if given.real == "f64" else "single"
    with tempfile.TemporaryDirectory() as name:
        here = Path(name)
        (here / "box.msh").write_text(mesh(given.shape, elements), encoding="utf-8")
        text = configuration(given.shape, given.system, given.order, dt, given.steps, precision)
        (here / "box.ini").write_text(text, encoding="utf-8")
        subprocess.run([sys.executable, "-m", "pyfr", "import", "box.msh", "box.pyfrm"], cwd=here, check=True)
        runs: dict[str, list[dict[str, Any]]] = {who: [] for who in BACKENDS}
        for _ in range(given.turns):
            for who, backend in BACKENDS.items():
                runs[who].append(_run(here, who, backend, given.threads))
        theirs, ours = (np.load(here / f"{who}.npy") for who in BACKENDS)
    print(f"{given.system}, {given.shape} of order {given.order}, {given.real}, threads: {given.threads}")
    _report(runs, theirs, ours)


def _run(here: Path, who: str, backend: str, threads: int) -> dict[str, Any]:
    """One process of PyFR."""
    paths = [str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")]
    variables = {
        "OMP_NUM_THREADS": str(threads),
        "OMP_WAIT_POLICY": "passive",  # other programs may have the processor that a thread would wait on
        "MPI4PY_RC_INITIALIZE": "false",  # PyFR does it, after a process was forked that starts compilers
        "PYTHONPATH": os.pathsep.join(paths),
    }
    command = [sys.executable, "-m", "examples.pyfr.worker", "box.pyfrm", "box.ini", backend, f"{who}.npy"]
    done = subprocess.run(command, cwd=here, env={**os.environ, **variables}, check=False, capture_output=True)
    if done.returncode:
        sys.exit(done.stderr.decode())
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _report(runs: dict[str, list[dict[str, Any]]], theirs: np.ndarray, ours: np.ndarray) -> None:
    choices = [choice for run in runs["with ours"] for choice in run["choices"]]
    for shape, nonzeros in dict.fromkeys((each[0], each[1]) for each in choices):
        same = [each for each in choices if each[:2] == [shape, nonzeros]]
        times = [median(each[place] for each in same) * 1e6 for place in (2, 3)]
        share = sum(each[4] for each in same) / len(same)
        print(
            f"  {shape}, {nonzeros} non-zeros: LIBXSMM {times[0]:.0f} us, ours {times[1]:.0f} us; ours in {share:.0%}"
        )
    print(f"ours by the choice of PyFR: {sum(each[4] for each in choices)} of {len(choices)} products")
    for words, clock in (("time", "wall"), ("processor time", "processor")):
        step = {who: median(each for run in found for each in run[clock]) * 1e3 for who, found in runs.items()}
        ratio = step["PyFR"] / step["with ours"]
        print(f"{words} of a step: PyFR {step['PyFR']:.2f} ms, with ours {step['with ours']:.2f} ms: {ratio:.2f}")
    built = [median(run["built"] for run in found) for found in runs.values()]
    print(f"until the first step: PyFR {built[0]:.1f} s, with ours {built[1]:.1f} s")
    print(
        f"largest difference of the solutions, of the largest entry: {abs(theirs - ours).max() / abs(theirs).max():.1e}"
    )


if __name__ == "__main__":
    main()
