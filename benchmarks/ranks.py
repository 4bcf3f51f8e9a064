"""Strong and weak scaling of examples/advection_mpi.py here, and the numbers of the model in docs/mpi.md.

python -m benchmarks.ranks            # needs einsum-front[mpi]
"""

import argparse
import os
import subprocess
import sys
from pathlib import Path

MPIEXEC = Path(sys.executable).with_name("mpiexec")
PING_PONG = """
import time
import numpy as np
from mpi4py import MPI
comm = MPI.COMM_WORLD
for size in (8, 1 << 22):
    data, times = np.zeros(size, np.uint8), []
    for _ in range(200 if size < 100 else 20):
        comm.Barrier()
        start = time.perf_counter()
        if comm.rank:
            comm.Recv(data, 0)
            comm.Send(data, 0)
        else:
            comm.Send(data, 1)
            comm.Recv(data, 1)
        times.append((time.perf_counter() - start) / 2)
    if not comm.rank:
        print(f"message of {size} bytes: {sorted(times)[len(times) // 2] * 1e6:.1f} µs")
"""


def launched(ranks: int, *command: str) -> str:
    """What a program prints on so many ranks."""
    environment = {**os.environ, "POCL_DEVICES": "basic"}
    line = [str(MPIEXEC), "-n", str(ranks), sys.executable, "-m", "mpi4py", *command]
    return subprocess.run(line, env=environment, capture_output=True, text=True, check=True).stdout


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--degree", default="3")
    parser.add_argument("--steps", default="20")
    options = parser.parse_args()
    rest = ("--degree", options.degree, "--steps", options.steps)
    print(f"{os.cpu_count()} processors")
    print("small:", launched(1, "-m", "examples.advection_mpi", "--cells", "1", *rest), end="")
    print(launched(2, "-c", PING_PONG), end="")
    for ranks, cells in ((1, 8), (2, 8), (4, 8)):
        print("strong:", launched(ranks, "-m", "examples.advection_mpi", "--cells", str(cells), *rest), end="")
    for ranks, cells in ((1, 8), (2, 10)):  # 3,072 and 3,000 elements a rank
        print("weak:", launched(ranks, "-m", "examples.advection_mpi", "--cells", str(cells), *rest), end="")


if __name__ == "__main__":
    main()
