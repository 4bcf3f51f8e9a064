"""What calls cost, launch and waiting included: `python -m benchmarks.calls`.

First small ones: the work is next to nothing, so this is the time that goes to checks, to the launch and to waiting for
the device. Then the kernel of the README on 10,000 elements in NumPy's arrays, which are in C order: without a layout,
and with layouts that are promised, of which one makes copies.
"""

import sys
import time
import warnings
from collections.abc import Callable, Iterable, Mapping
from statistics import median

import numpy as np
import pyopencl.array
from rich.console import Console
from rich.table import Table

import einsum_front as ef

CALLS, LARGE_CALLS, TURNS = 1000, 3, 7
BATCHES = 1, 100

PROGRAM = """
tensor A[4,4] row_major
tensor B[4,4] row_major constant
tensor C[4,4] row_major
kernel multiply { C[ij] = A[ik] * B[kj] }
"""
SUBSCRIPTS = "bik,kj->bij"

ELEMENTS = 10_000
LAYOUTS = "row_major", "column_major"
VOLUME = """
tensor Q[20,9] {layout}
tensor I[20,9] {layout}
tensor A[9,9] {layout}
tensor K[20,20] {layout} constant
kernel volume {{ Q[kp] += K[kl] * I[lq] * A[qp] }}
"""


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


def volumes(batch: int) -> Mapping[str, Callable[[], object]]:
    """Ways to add a product of three matrices to each of so many, all in C order."""
    random = np.random.default_rng(0)
    shapes = {"Q": (batch, 20, 9), "I": (batch, 20, 9), "A": (batch, 9, 9), "K": (20, 20)}
    arrays = {name: random.random(shape) for name, shape in shapes.items()}
    declared = {layout: ef.compile(ef.parse(VOLUME.format(layout=layout)))["volume"] for layout in ("", *LAYOUTS)}

    def matmul() -> None:
        arrays["Q"] += arrays["K"] @ arrays["I"] @ arrays["A"]

    def call(layout: str) -> Callable[[], object]:
        return lambda: declared[layout](**arrays)

    return {"Q += K @ I @ A": matmul, "a kernel": call(""), **{f"a kernel, `{name}`": call(name) for name in LAYOUTS}}


def seconds(calls: Iterable[Callable[[], object]], runs: int) -> list[float]:
    """Time of each call, the median of some turns of many; they take turns, so that what disturbs one disturbs all."""
    calls = list(calls)
    turns = [[_run(call, runs) for call in calls] for _ in range(TURNS + 1)]
    return [median(times) for times in zip(*turns[1:], strict=True)]


def _run(call: Callable[[], object], runs: int) -> float:
    start = time.perf_counter()
    for _ in range(runs):
        call()
    return (time.perf_counter() - start) / runs


def main() -> int:
    """Prints two tables."""
    table = Table("matrices", *ways(1), title="microseconds a call")
    for batch in BATCHES:
        table.add_row(str(batch), *(f"{each * 1e6:.0f}" for each in seconds(ways(batch).values(), CALLS)))
    Console().print(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ef.CopyWarning)  # one of the ways is there to show what copies cost
        large = volumes(ELEMENTS)
        times = [f"{each * 1e3:.1f}" for each in seconds(large.values(), LARGE_CALLS)]
    table = Table("elements", *large, title="milliseconds a call")
    table.add_row(str(ELEMENTS), *times)
    Console().print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
