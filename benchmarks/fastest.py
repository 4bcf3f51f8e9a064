"""The batch as fastest axis: ADER-DG's volume and functions of entries beside elements one behind the other.

Constant operators are beside NumPy's products.

    python -m benchmarks.fastest [DEVICE]

Processor time, medians of turns that all take. SciPy's sparse product is beside the operators if it is there.
"""

import importlib.util
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median

import numpy as np

import einsum_front as ef
from benchmarks.arguments import random
from einsum_front.compiled import CompiledKernel
from examples.ader_dg import matrices

FOLDER = Path(__file__).parents[1] / "examples" / "ader_dg"
VOLUMES = [
    (order, real, elements)
    for order, small, large in ((3, 1_000, 100_000), (4, 400, 40_000), (6, 128, 10_000))
    for real in ("f64", "f32")
    for elements in (small, large)
]
"""Order, type, and elements that fit into caches or do not."""

FUNCTIONS = FOLDER.parent / "functions"
FUNCTION_ELEMENTS = 520, 41_000

OPERATORS = (("hexahedron", 96, 64, 384), ("random", 64, 64, 255), ("random", 150, 125, 3791))
"""Rows, columns and non-zeros of matrices; those of a hexahedron have four numbers and four non-zeros a row."""

COLUMNS = 520, 2056, 65_000
TURNS = 9
SECONDS = 0.02
"""Of a turn, about."""

Way = Callable[[int], object]
"""Computes so many times."""


def main(device: str) -> None:
    """Prints nanoseconds an element, and what the others take for each of ours."""
    for order in sorted({order for order, *_ in VOLUMES}):
        matrices.write(order)
    for order, real, elements in VOLUMES:
        both = {name: _volume(name, order, real, device) for name in ("volume_fastest", "volume")}
        report(f"volume, order {order}, {real}, {elements} elements", elements, both)
    for name in ("friction", "limiter", "perceptron"):
        text = (FUNCTIONS / f"{name}.ein").read_text(encoding="utf-8")
        both_ = [ef.compile(ef.parse(each), device) for each in (_as_fastest(text), text)]
        for kernel in both_[0]:
            for elements in FUNCTION_ELEMENTS:
                ways = {"fastest": way(both_[0][kernel]), "apart": way(both_[1][kernel])}
                report(f"{kernel} of {name}, {elements} elements", elements, ways)
    for name, rows, columns, nonzeros in OPERATORS:
        matrix = _operator(rows, columns, nonzeros, is_regular=name == "hexahedron")
        for elements in COLUMNS:
            what = f"{name} {rows} x {columns}, {nonzeros} non-zeros, {elements} columns"
            report(what, elements, _ways(matrix, elements, device))


def _volume(name: str, order: int, real: str, device: str) -> Callable[[int], Way]:
    program = ef.parse(FOLDER / f"{name}.ein")
    kernel = ef.compile(program, device, defines={"O": order}, real=real, kernel="volume")["volume"]
    return way(kernel)


def _as_fastest(text: str) -> str:
    """The text with the batch as fastest axis of all tensors that each element has its own of."""
    declared = re.compile(r"^(tensor \w+(?:\{\d+\})?\[[^]]*\])(?! +constant)", re.MULTILINE)
    return declared.sub(r"\1 batch_fastest", text)


def way(kernel: CompiledKernel) -> Callable[[int], Way]:
    return lambda elements: launched(kernel, elements)


def launched(kernel: CompiledKernel, elements: int) -> Way:
    launch = kernel.prepare(**random(kernel, elements, is_single=False).values)

    def run(times: int) -> None:
        for _ in range(times):
            launch.run()
        launch.finish()

    return run


def _operator(rows: int, columns: int, nonzeros: int, *, is_regular: bool) -> np.ndarray:
    generator = np.random.default_rng(3)
    matrix = np.zeros((rows, columns))
    if is_regular:
        for row in matrix:
            row[generator.choice(columns, nonzeros // rows, replace=False)] = generator.choice((0.5, -0.25, 1.5, 0.75))
        return matrix
    matrix.flat[generator.choice(matrix.size, nonzeros, replace=False)] = generator.standard_normal(nonzeros)
    return matrix


def _ways(matrix: np.ndarray, elements: int, device: str) -> dict[str, Callable[[int], Way]]:
    rows, columns = matrix.shape
    operator = ef.Tensor("K", matrix.shape, values=matrix)
    given, made = (ef.Tensor(name, (size,), batch_after=0) for name, size in (("B", columns), ("C", rows)))
    kernel = ef.Kernel("operator", (made["i"] <= operator["ij"] * given["j"],))
    ours = ef.compile(ef.program(kernel), device)["operator"]
    panel = np.random.default_rng(1).standard_normal((columns, elements))
    ways: dict[str, Callable[[int], Way]] = {
        "ours": way(ours),
        "NumPy, dense": lambda _: lambda times: [matrix @ panel for _ in range(times)],
    }
    if importlib.util.find_spec("scipy") is not None:
        sparse = importlib.import_module("scipy.sparse").csr_matrix(matrix)
        ways["SciPy, sparse"] = lambda _: lambda times: [sparse @ panel for _ in range(times)]
    return ways


def report(what: str, elements: int, ways: dict[str, Callable[[int], Way]]) -> None:
    calls = {name: way(elements) for name, way in ways.items()}
    found: dict[str, list[float]] = {name: [] for name in calls}
    for call in calls.values():
        call(1)
    for _ in range(TURNS):
        for name, call in calls.items():
            times = max(1, round(SECONDS / max(_seconds(call, 1), 1e-6)))
            found[name].append(_seconds(call, times) / times / elements * 1e9)
    medians = {name: median(each) for name, each in found.items()}
    own = next(iter(medians.values()))
    print(f"{what}: " + ", ".join(f"{name} {each:.1f} ns ({each / own:.2f})" for name, each in medians.items()))


def _seconds(call: Way, times: int) -> float:
    start = time.process_time()
    call(times)
    return time.process_time() - start


if __name__ == "__main__":
    main(sys.argv[1] if len(sys.argv) > 1 else "c")
