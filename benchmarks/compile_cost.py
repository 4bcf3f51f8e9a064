"""The set `compile`: what every kernel of every example costs before it runs."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import einsum_front as ef
from benchmarks.arguments import random
from benchmarks.measure import Stopwatch
from benchmarks.row import CompileRow
from benchmarks.run_case import Machine
from einsum_front.compiled import CompiledKernel
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse_file
from einsum_front.runtime.launches.timing import Timing
from examples.ader_dg import matrices

NAME = "compile"
EXAMPLES = Path(__file__).parents[1] / "examples"
ORDER = 4
"""What the `.ein` files of the ADER-DG example have as their default."""
REAL = "f64"
REPETITIONS = 5


@dataclass(frozen=True, slots=True)
class Example:
    """A kernel of an example."""

    path: Path
    kernel: str

    @property
    def title(self) -> str:
        """The name in a table."""
        return f"{self.path.relative_to(EXAMPLES).as_posix()}: {self.kernel}"


def examples(*, quick: bool) -> Iterator[Example]:
    """Every kernel of every `.ein` file of the examples; of a family the first only if it should be quick."""
    matrices.write(ORDER)
    for path in sorted(EXAMPLES.rglob("*.ein")):
        families = set()
        for kernel in check(parse_file(path), directory=path.parent).kernels:
            family = kernel.name.rstrip("_0123456789")
            if not (quick and family in families):
                yield Example(path, kernel.name)
            families.add(family)


def measure_example(example: Example, machine: Machine) -> CompileRow:
    """From the file to OpenCL C several times, each time all of it, then built and run on one element.

    Everything is imported, and the parser of the notation was built for the names of the kernels.
    """
    seconds = []
    for _ in range(REPETITIONS):
        watch = Stopwatch()
        kernel = _compile(example, machine.device_name)
        seconds.append(watch.seconds)
    timing = Timing(tuple(seconds))
    return CompileRow(
        set=NAME,
        kernel=example.title,
        dtype=REAL,
        device=machine.device.facts.description,
        command=machine.command(NAME),
        compile_ms=timing.median * 1e3,
        spread=timing.spread,
        build_s=machine.builds.seconds(kernel, random(kernel, 1, is_single=False)),
        source_bytes=len(kernel.opencl.encode()),
    )


def _compile(example: Example, device_name: str) -> CompiledKernel:
    program = ef.parse(example.path)
    return ef.compile(program, device_name, real=REAL, kernel=example.kernel, cache=False)[example.kernel]
