"""`python -m examples.functions [MEGABYTES]`: each kernel in one launch, and in a launch for each step, in turns."""

import sys
import time
from statistics import median
from typing import Any

import numpy as np

from examples.functions.steps import EXAMPLES, Example, arguments, copied, of

TURNS = 7


def seconds(launches: list[Any]) -> float:
    """Of the launches one after the other."""
    start = time.perf_counter()
    for launch in launches:
        launch.run()
    launches[-1].finish()
    return time.perf_counter() - start


def measure(example: Example, megabytes: float) -> None:
    """Prints nanoseconds of an element for both ways, where the arrays of the whole have so many megabytes."""
    kernels = example.kernels()
    few = arguments(kernels[:1], example.numbers, 1)
    each = sum(array.nbytes for array in few.values() if isinstance(array, np.ndarray))
    batch = max(64, int(megabytes * 1e6 / each))
    values = arguments(kernels, example.numbers, batch)
    ways = {
        "one launch": [kernels[0].prepare(**of(kernels[0], values))],
        "steps": [
            kernel.prepare(**of(kernel, copied_values)) for copied_values in [copied(values)] for kernel in kernels[1:]
        ],
    }
    times: dict[str, list[float]] = {name: [] for name in ways}
    for _ in range(TURNS + 1):
        for name, launches in ways.items():
            times[name].append(seconds(launches))
    whole, steps = (median(each[1:]) / batch * 1e9 for each in times.values())
    print(f"{example.name}: {whole:,.0f} ns an element, in steps {steps:,.0f} ns, {steps / whole:.2f} times as long")


def main() -> None:
    """Measures all of them."""
    megabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 200.0
    for example in EXAMPLES:
        measure(example, megabytes)


if __name__ == "__main__":
    main()
