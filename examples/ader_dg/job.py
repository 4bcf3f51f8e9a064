"""The main job: ADER-DG kernels from their index strings to a batch of elements, checked against NumPy.

python -m examples.ader_dg [--order 4] [--elements 10000] [--device auto] [--dump-to build/ader_dg]
"""

import argparse
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from time import perf_counter

import numpy as np

import einsum_front as ef
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.terminal import bold, say, sign_of_life
from einsum_front.data import first_element
from examples.ader_dg import reference
from examples.ader_dg.matrices import HERE

CHUNKS = 20
TIME_STEP = 0.01
EPSILONS_PER_OPERATION = 100

Arrays = reference.Arrays


@dataclass(frozen=True, slots=True)
class Job:
    """A kernel of a file, and what NumPy says of it: the outputs by name."""

    file: str
    kernel: str
    expected: Callable[[Arrays, list[float]], Mapping[str, reference.Array]]


def _local_flux(face: int, arrays: Arrays, _power: list[float]) -> Mapping[str, reference.Array]:
    return {"Q": reference.local_flux(arrays, face)}


JOBS = (
    Job("volume.ein", "volume", lambda arrays, _power: {"Q": reference.volume(arrays)}),
    *(Job("local_flux.ein", f"localFlux_{i}", partial(_local_flux, i)) for i in range(4)),
    Job("derivative.ein", "derivative", reference.derivative),
)


def main() -> int:
    """Compiles, runs and checks every job; 1 if a result is wrong."""
    options = _options()
    try:
        return max(_run(job, options) for job in JOBS)
    except CompileError as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        return 130


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m examples.ader_dg", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--order", type=int, choices=range(2, 7), default=4, help="convergence order (default 4)")
    parser.add_argument("--elements", type=_elements, default=10_000, help="size of the batch (default 10,000)")
    parser.add_argument("--device", default="auto", help="OpenCL device, see `einsum-front devices`")
    parser.add_argument("--dump-to", type=Path, default=Path("build/ader_dg"), help="where the levels are written")
    return parser.parse_args()


def _elements(text: str) -> int:
    if not (text.isascii() and text.isdigit() and int(text)):
        raise argparse.ArgumentTypeError(f"`{text}` is no number from 1 on")
    return int(text)


def _run(job: Job, options: argparse.Namespace) -> int:
    arguments = reference.constants(options.order) | reference.elements(options.order, options.elements)
    power = reference.powers(options.order, TIME_STEP)
    start = perf_counter()
    compiled = ef.compile(
        ef.parse(HERE / job.file),
        device=options.device,
        defines={"O": options.order},
        kernel=job.kernel,
        dump_to=options.dump_to,
    )
    kernel = compiled[job.kernel]
    say(f"{bold(job.kernel)}  from {job.file}, compiled in {(perf_counter() - start) * 1e3:.0f} ms")
    say(kernel.plan or "")
    values: dict[str, object] = {p.name: arguments[p.name] for p in kernel.artifact.arguments if p.name in arguments}
    scalars = {f"power_{n}": weight for n, weight in enumerate(power)}
    expected = job.expected(arguments, power)
    values |= {p.name: scalars[p.name] for p in kernel.artifact.arguments if p.name in scalars}
    seconds = _run_in_chunks(kernel, values, options.elements)
    rate = kernel.operations * options.elements / seconds * 1e-9
    say(f"  {options.elements} elements in {seconds * 1e3:.2f} ms, {rate:.2f} GFLOP/s of non-zero operations")
    error = max(_error(values[name], array) for name, array in expected.items())
    bound = EPSILONS_PER_OPERATION * np.finfo(float).eps * max(1.0, kernel.operations_per_entry)
    say(f"  error against NumPy {error:.1e}, at most {bound:.1e} allowed")
    say(f"  tensor language in {options.dump_to / job.kernel}.tl\n")
    return int(not error <= bound)


def _run_in_chunks(kernel: CompiledKernel, values: dict[str, object], elements: int) -> float:
    """Runs the batch in parts, with a progress line; seconds on the device. Outputs are updated in place."""
    kernel(1, **first_element(kernel.artifact, values))  # drivers finish compiling at the first run
    batched = {p.name for p in kernel.artifact.arguments if getattr(p, "batched", False)}
    seconds = 0.0
    with sign_of_life() as sign:
        for chunk in np.array_split(np.arange(elements), min(CHUNKS, elements)):
            part = slice(int(chunk[0]), int(chunk[-1]) + 1)
            views = {name: value[part] if name in batched else value for name, value in values.items()}  # type: ignore[index] # batched arguments are arrays
            seconds += kernel.run_timed(**views)
            sign.show(f"  {kernel.name} {part.stop}/{elements} elements")
    return seconds


def _error(result: object, expected: reference.Array) -> float:
    """The largest difference over the largest entry."""
    scale = float(np.abs(expected).max(initial=0.0)) or 1.0
    return float(np.abs(np.asarray(result) - expected).max(initial=0.0)) / scale
