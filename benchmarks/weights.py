"""The weights of the planner's model of matrix products, fitted to measured times: `python -m benchmarks.weights`.

Products of two tensors of four modes each, drawn at random: extents, orders of modes, and one of the ways to loop over
matrix products. `ir.plan.gemm` counts what each of them does; fitted are the times of these things, none of them
negative, so that the deviations of the sum from the measured time are small (least absolute deviations, relative to
the time). A multiplication of vectors takes half a cycle, which says how long a cycle is. What was fitted is then
compared with other products, which had no part in it. What takes more than `SLOWEST` times as long as the fastest has
no part in either: the planner does not take it.
"""

import argparse
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table

import einsum_front as ef
from benchmarks.arguments import random as random_arguments
from einsum_front.diagnostics import Source
from einsum_front.elaborate import elaborate
from einsum_front.ir.pipeline import emit_yateto
from einsum_front.ir.plan.emit_yateto import log_entries
from einsum_front.ir.plan.gemm import CYCLES, LoopedProduct, LoopsOverGemm, Work
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.yateto.nodes import Function, Log, LogMap
from einsum_front.ir.yateto.nodes import Program as YatetoProgram
from einsum_front.ir.yateto.unparse import unparse
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from einsum_front.parsed import Program
from einsum_front.runtime.timing import measure

PRODUCTS = 300
RUNS = 5
EXTENTS = (8, 10, 12, 16, 16, 16, 20, 24, 32)
FEWEST, MOST = 2**18, 2**25
SLOWEST = 8.0
ROUNDS, LEAST_DEVIATION = 30, 0.02
"""Of the fit: times that the deviations become weights, and the deviation from which on they are told apart."""

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Sample:
    """A product: what it does, and the seconds that it takes, for each multiplication."""

    work: Work
    seconds: float


def draw(random: Random) -> str:
    """The notation of a product."""
    while True:
        extents = {index: random.choice(EXTENTS) for index in "abpqxy"}
        if FEWEST <= prod(extents.values()) <= MOST:
            break
    left, right, result = ("".join(random.sample(modes, 4)) for modes in ("abxy", "xypq", "abpq"))
    shapes = (
        (name, [str(extents[index]) for index in modes])
        for name, modes in zip("ABR", (left, right, result), strict=True)
    )
    lines = [f"tensor {name}[{', '.join(shape)}]" for name, shape in shapes]
    statement = f"R[{','.join(result)}] = A[{','.join(left)}] * B[{','.join(right)}]"
    return "\n".join([*lines, f"kernel product {{ {statement} }}"])


def sample(random: Random) -> Sample:
    """A product in some loops over matrix products."""
    program = check(parse(Source("product.ein", draw(random))))
    made = plan(elaborate(program.kernels[0], program))
    (step,) = made.steps
    product = LoopedProduct(step, made.tensors)
    loops = random.choice(list(product.choices()))
    source = Source("product.yir", unparse(YatetoProgram((_in_loops(made, loops),))))
    kernel = ef.compile(Program(source, Level.YIR, Path(), None), form="group", cache=False)["product"]
    launch = kernel.prepare(**random_arguments(kernel, 1, is_single=False).values)
    points = prod(step.space.extents.values())
    counts = zip(product.arithmetic(loops), product.waiting(loops), strict=True)
    work = Work(*((arithmetic + waiting) / points for arithmetic, waiting in counts))
    return Sample(work, measure(launch, RUNS).median / points)


def _in_loops(made: Plan, loops: LoopsOverGemm) -> Function:
    """The function of a plan of one product, with these loops."""
    (step,) = made.steps
    views = (*step.operands, step.target)
    modes = ([view.parts[mode] for mode in made.tensors[view.buffer].modes_by_stride] for view in views)
    left, right, target = (log_entries(tuple(part.index for part in parts), loops) for parts in modes)  # type: ignore[union-attr]
    function = emit_yateto(made)
    body = tuple(
        replace(each, map=LogMap(left, right, target)) if isinstance(each, Log) else each for each in function.body
    )
    return replace(function, body=body)


def fit(samples: Sequence[Sample]) -> Numbers:
    """The seconds of each thing that products do."""
    seconds = np.array([each.seconds for each in samples])
    shares = np.array([each.work for each in samples]) / seconds[:, np.newaxis]
    weights = np.ones(len(samples))
    for _ in range(ROUNDS):
        found = _not_negative(shares * weights[:, np.newaxis], weights)
        deviations = np.abs(shares @ found - 1)
        weights = 1 / np.sqrt(np.maximum(deviations, LEAST_DEVIATION))
    return found


def _not_negative(matrix: Numbers, target: Numbers) -> Numbers:
    """Least squares, where what would be negative is zero."""
    columns = [column for column in range(matrix.shape[1]) if matrix[:, column].any()]
    while True:
        found = np.zeros(matrix.shape[1])
        found[columns] = np.linalg.lstsq(matrix[:, columns], target)[0]
        if found.min() >= 0:
            return found
        columns.remove(int(found.argmin()))


def _quick(samples: Sequence[Sample]) -> list[Sample]:
    limit = SLOWEST * min(each.seconds for each in samples)
    return [each for each in samples if each.seconds <= limit]


def _row(name: str, ratios: Numbers) -> tuple[str, ...]:
    return name, *(f"{value:.2f}" for value in np.percentile(ratios, [5, 25, 50, 75, 95]))


def main(given: list[str] | None = None) -> int:
    """Prints the weights in cycles, those of the planner beside them, and how far predictions are off."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.weights", description=__doc__.splitlines()[0])
    parser.add_argument("--products", type=int, default=PRODUCTS, help=f"to fit to, {PRODUCTS} if not given")
    options = parser.parse_args(given)
    random = Random(options.products)
    fitted, others = (
        _quick([sample(random) for _ in range(count)]) for count in (options.products, options.products // 3)
    )
    seconds = fit(fitted)
    cycle = seconds[0] / CYCLES.vectors
    table = Table("", "fitted", "in the planner")
    for name, value, now in zip(Work._fields, seconds / cycle, CYCLES, strict=True):
        table.add_row(name, f"{value:.2f}", f"{now:.2f}")
    errors = Table("predicted over measured", "5%", "25%", "50%", "75%", "95%")
    measured = np.array([each.seconds for each in others])
    work = np.array([each.work for each in others])
    errors.add_row(*_row(f"fitted, {len(others)} other products", work @ seconds / measured))
    errors.add_row(*_row("in the planner", work @ np.array(CYCLES) * cycle / measured))
    console = Console()
    console.print(table, errors)
    console.print(f"a cycle takes {cycle * 1e9:.3f} ns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
