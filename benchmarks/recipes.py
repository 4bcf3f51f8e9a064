"""Recipes of the examples beside the schedules that the model can take.

    python -m benchmarks.recipes [DEVICE ...]

The volume integral of ADER-DG at order 4: medians of turns that both take, for elements that fit into caches and ones
that do not.
"""

import sys
import time
from pathlib import Path
from statistics import median

import einsum_front as ef
from benchmarks.arguments import random
from einsum_front.compiled import CompiledKernel
from examples.ader_dg import matrices

FOLDER = Path(__file__).parents[1] / "examples" / "ader_dg"
BATCHES = ((2_000, 20), (100_000, 2))
"""Elements, and the calls of a turn."""

TURNS = 9


def main(devices: list[str]) -> None:
    """Prints nanoseconds an element, and the time of the recipe over that of the schedule."""
    matrices.write(4)
    program = ef.parse(FOLDER / "volume.ein")
    for device in devices or ["PoCL", "c"]:
        wanted = {"batch_simd": "batch_simd", "recipe": str(FOLDER / "volume.sched")}
        kernels = {
            name: ef.compile(program, device, defines={"O": 4}, schedule=schedule)["volume"]
            for name, schedule in wanted.items()
        }
        for elements, calls in BATCHES:
            times = _times(kernels, elements, calls)
            listed = ", ".join(f"{name} {found:.0f} ns" for name, found in times.items())
            print(f"{device}, {elements} elements: {listed}; {times['recipe'] / times['batch_simd']:.2f}")


def _times(kernels: dict[str, CompiledKernel], elements: int, calls: int) -> dict[str, float]:
    """Nanoseconds an element of each kernel."""
    given = random(kernels["recipe"], elements, is_single=False).values
    found: dict[str, list[float]] = {name: [] for name in kernels}
    for _ in range(TURNS):
        for name, kernel in kernels.items():
            kernel(**given)
            start = time.perf_counter()
            for _ in range(calls):
                kernel(**given)
            found[name].append((time.perf_counter() - start) / calls / elements * 1e9)
    return {name: median(each) for name, each in found.items()}


if __name__ == "__main__":
    main(sys.argv[1:])
