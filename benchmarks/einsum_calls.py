"""Calls of `ef.einsum` from call to result, in turns with `numpy.einsum`.

    python -m benchmarks.einsum_calls [calls | reductions] [--device DEVICE]

`calls` are products of small matrices, where starting a kernel counts; `reductions` are sums of 10^7 entries, which
read memory. Other sets take the time of the device's clock; here all of a call counts, by the clock of the host.
"""

import argparse
from collections.abc import Callable, Iterator
from statistics import median
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray

import einsum_front as ef
from einsum_front.runtime import find_device

TURNS = 41

Shapes = tuple[tuple[int, ...], ...]

SETS: dict[str, tuple[tuple[str, Shapes], ...]] = {
    "calls": tuple(("bik,kj->bij", ((batch, 4, 4), (4, 4))) for batch in (1, 10, 100, 1000, 10_000)),
    "reductions": (
        ("i->", ((10**7,),)),
        ("i,i->", ((10**7,),) * 2),
        ("ij,ij->", ((1000, 10_000),) * 2),
        ("ijk,ijk->", ((100, 100, 1000),) * 2),
        ("bi->b", ((1000, 10_000),)),
    ),
}


def main() -> None:
    """Prints a row for each string and type: medians of the turns, and numpy.einsum over ours."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.einsum_calls")
    parser.add_argument("sets", nargs="*", choices=[*SETS, []], help="all of them if none is named")
    parser.add_argument("--device", default="auto")
    given = parser.parse_args()
    print(find_device(given.device).facts.description)
    for name in given.sets or SETS:
        for text, shapes in SETS[name]:
            for real in (np.float64, np.float32):
                ours, theirs = times(text, shapes, real, given.device)
                words = f"{name}  {text} {' '.join('x'.join(map(str, shape)) for shape in shapes)} {real.__name__}"
                numbers = f"ours {ours * 1e6:.1f} µs, numpy.einsum {theirs * 1e6:.1f} µs, ratio {theirs / ours:.2f}"
                print(f"{words}: {numbers}", flush=True)


def times(text: str, shapes: Shapes, real: type[np.floating[Any]], device: str) -> tuple[float, float]:
    """The median seconds of a call of ours and of NumPy's; raises `AssertionError` if the results differ."""
    random = np.random.default_rng(1)
    operands: list[NDArray[Any]] = [random.random(shape).astype(real) for shape in shapes]

    def ours() -> object:
        return ef.einsum(text, *operands, device=device)

    def theirs() -> object:
        return np.einsum(text, *operands, optimize=len(operands) > 1 and text[-1] != ">")

    np.testing.assert_allclose(np.asarray(ours()), np.asarray(theirs()), rtol=1e-3)
    seconds = list(zip(*_turns((ours, theirs)), strict=True))
    return median(seconds[0]), median(seconds[1])


def _turns(calls: tuple[Callable[[], object], ...]) -> Iterator[tuple[float, ...]]:
    """Seconds of each call: as many in a row as take a millisecond, in turns."""
    counts = [max(1, int(1e-3 / _seconds(call, 3))) for call in calls]
    for _ in range(TURNS):
        yield tuple(_seconds(call, count) for call, count in zip(calls, counts, strict=True))


def _seconds(call: Callable[[], object], count: int) -> float:
    start = perf_counter()
    for _ in range(count):
        call()
    return (perf_counter() - start) / count


if __name__ == "__main__":
    main()
