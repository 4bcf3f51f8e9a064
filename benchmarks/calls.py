"""What a repeated small call costs, launch and waiting included: `python -m benchmarks.calls`.

The work is next to nothing, so this is the time that goes to checks, to the launch and to waiting for the device.
"""

import sys
import time
from collections.abc import Callable, Iterable, Mapping
from statistics import median

import numpy as np
import pyopencl.array
from rich.console import Console
from rich.table import Table

import einsum_front as ef

CALLS, TURNS = 1000, 7
BATCHES = 1, 100

PROGRAM = """
tensor A[4,4] row_major
tensor B[4,4] row_major constant
tensor C[4,4] row_major
kernel multiply { C[ij] = A[ik] * B[kj] }
"""
SUBSCRIPTS = "bik,kj->bij"


def ways(batch: int) -> Mapping[str, Callable[[], object]]:
    """Ways to multiply so many 4x4 matrices by one; `device` has its arrays there."""
    arrays = {"A": np.ones((batch, 4, 4)), "B": np.ones((4, 4)), "C": np.empty((batch, 4, 4))}
    operands = arrays["A"], arrays["B"]
    kernel = ef.compile(ef.parse(PROGRAM))["multiply"]
    launch = kernel.prepare(**arrays)

    on_device = [pyopencl.array.to_device(kernel.device.queue, operand) for operand in operands]

    def run() -> None:
        launch.run()
        launch.finish()

    return {
        "numpy.einsum": lambda: np.einsum(SUBSCRIPTS, *operands),
        "ef.einsum": lambda: ef.einsum(SUBSCRIPTS, *operands),
        "ef.einsum, device": lambda: ef.einsum(SUBSCRIPTS, *on_device),
        "a kernel": lambda: kernel(**arrays),
        "a prepared launch": run,
    }


def seconds(calls: Iterable[Callable[[], object]]) -> list[float]:
    """Time of each call, the median of some runs of many; runs take turns, so that what disturbs one disturbs all."""
    turns = [[_run(call) for call in calls] for _ in range(TURNS + 1)]
    return [median(times) for times in zip(*turns[1:], strict=True)]


def _run(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS):
        call()
    return (time.perf_counter() - start) / CALLS


def main() -> int:
    """Prints a table."""
    table = Table("matrices", *ways(1), title="microseconds a call")
    for batch in BATCHES:
        table.add_row(str(batch), *(f"{each * 1e6:.0f}" for each in seconds(ways(batch).values())))
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
