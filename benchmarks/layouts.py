"""The order and the layouts of the plan against all others, by time: `python -m benchmarks.layouts`.

Products of four tensors with four modes of 16 positions each, drawn at random. Compared are all orders of
`networks.orders`, each with every order of the modes of its temporaries in memory.

The time of a step depends on the layouts of what it reads and writes, and on no other step. So steps are measured
alone, and sums of their times rank the alternatives. Layouts are given up that would be slower than our kernel if the
steps that have two temporaries were as fast as the others at their best. The first of that ranking and ours are
measured as whole kernels, taking turns.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import permutations, product
from math import inf
from operator import itemgetter
from pathlib import Path
from random import Random
from statistics import median

from rich.console import Console
from rich.table import Table

import einsum_front as ef
from benchmarks.arguments import random
from benchmarks.measure import take_turns
from benchmarks.networks import Network, Order, Step, draw, orders, text_of
from benchmarks.ours import Ours
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import Source
from einsum_front.driver.targets import own_machine
from einsum_front.elaborate import elaborate
from einsum_front.ir.pipeline import emit_yateto
from einsum_front.ir.plan.copies import rooms
from einsum_front.ir.plan.planner import assembled
from einsum_front.ir.plan.schedule import schedule
from einsum_front.ir.plan.sparsity import analyse
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.unparse import unparse
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from einsum_front.parsed import Program
from einsum_front.runtime.launches.timing import measure

CASES = 6
TURNS = 9
FINALISTS = 6
RUNS = 3
TOLERANCE = 1.05
"""Times of single runs may be that much too long."""

Layouts = Mapping[str, str]
"""The indices of each temporary, from the fastest to the slowest mode."""

Known = dict[tuple[str, int], float]
"""Seconds of steps, by their texts and by the bytes that they have for copies."""


@dataclass(frozen=True, slots=True)
class Alternative:
    """An order with layouts of its temporaries, and the seconds of its steps."""

    order: Order
    layouts: Layouts
    seconds: float

    def __str__(self) -> str:
        return f"{self.order}, {' '.join(self.layouts.values())}"


@dataclass(frozen=True, slots=True)
class Result:
    """Seconds of our kernel, of the best alternative, and how many alternatives there were and were built."""

    network: Network
    ours: float
    best: float
    name: str
    alternatives: int
    measured: int


class Steps:
    """Seconds of single steps of an order for layouts of their temporaries, each measured once."""

    def __init__(self, order: Order, known: Known) -> None:
        self._order = order
        self._known = known

    def seconds(self, step: Step, layouts: Layouts) -> float:
        """The fastest of some runs of one element."""
        own = {name: layout for name, layout in layouts.items() if name in (step.left, step.right, step.target)}
        text, room = text_of(self._order, (step,), own), self._order.room(step)
        if (text, room) not in self._known:
            kernel = _kernel(text, self._order, {}, room)
            launch = kernel.prepare(**random(kernel, 1, is_single=False).values)
            self._known[text, room] = measure(launch, RUNS, warm_up=1).minimum
        return self._known[text, room]


def alternatives(order: Order, limit: float, known: Known) -> Iterator[Alternative]:
    """The layouts of an order that may be faster than the limit, or about as fast as one that is."""
    steps = Steps(order, known)
    alone = {name: _alone(order, name, steps) for name in order.temporaries}
    single = [step for step in order.steps if len(_temporaries(order, step)) == 1]
    work = sum(order.multiplications_of(step) for step in single)
    fastest = work / sum(min(times.values()) for times in alone.values())
    rest = (order.multiplications - work) / fastest
    choices = [dict(zip(alone, chosen, strict=True)) for chosen in product(*alone.values())]
    bounds = [(sum(alone[name][layout] for name, layout in layouts.items()) + rest, layouts) for layouts in choices]
    for bound, layouts in sorted(bounds, key=itemgetter(0)):
        if bound > limit:
            return
        seconds = sum(steps.seconds(step, layouts) for step in order.steps)
        limit = min(limit, TOLERANCE * seconds)
        yield Alternative(order, layouts, seconds)


def _alone(order: Order, name: str, steps: Steps) -> dict[str, float]:
    """Seconds of the steps that have this temporary only, for each of its layouts."""
    alone = [step for step in order.steps if _temporaries(order, step) == {name}]
    layouts = map("".join, permutations(order.indices[name]))
    return {layout: sum(steps.seconds(step, {name: layout}) for step in alone) for layout in layouts}


def _temporaries(order: Order, step: Step) -> set[str]:
    return {step.left, step.right, step.target} & set(order.temporaries)


def whole(alternative: Alternative) -> CompiledKernel:
    """The kernel of an alternative: its order is written as statements."""
    order = alternative.order
    return _kernel(text_of(order, order.steps, {}), order, alternative.layouts, None)


def _kernel(text: str, order: Order, layouts: Layouts, room: int | None) -> CompiledKernel:
    """The kernel of some steps of an order, with layouts of its temporaries.

    Each step has so many bytes for copies; None: as many as the planner would give it.
    """
    program = check(parse(Source("product.ein", text)))
    graph = elaborate(program.kernels[0], program)
    scheduled = schedule(graph, analyse(graph), inf)
    modes = {name: tuple(map(order.indices[name].index, layout)) for name, layout in layouts.items()}
    temporaries = tuple(tensor.packed(modes[tensor.name]) for tensor in scheduled.temporaries)
    given = rooms(temporaries, scheduled.steps) if room is None else [room] * len(scheduled.steps)
    function = emit_yateto(assembled(graph, scheduled, temporaries, given, own_machine()))
    source = Source("product.yir", unparse(yir.Program((function,))))
    return ef.compile(Program(source, Level.YIR, Path(), None), schedule="work_group", cache=False)["product"]


def compare(network: Network) -> Result:
    """Our plan of a product against all others."""
    ours = ef.compile(ef.parse(_einsum(network)), schedule="work_group", cache=False)["product"]
    limit = TOLERANCE * measure(ours.prepare(**random(ours, 1, is_single=False).values), RUNS).minimum
    known: Known = {}
    found: list[Alternative] = []
    for order in orders(network):
        found += alternatives(order, min([limit, *(TOLERANCE * each.seconds for each in found)]), known)
    finalists = sorted(found, key=lambda each: each.seconds)[:FINALISTS]
    kernels = {str(each): whole(each) for each in finalists} | {"ours": ours}
    timings = _medians(kernels)
    name = min(timings, key=lambda each: timings[each])
    count = sum(24 ** sum(len(order.indices[name]) == 4 for name in order.temporaries) for order in orders(network))
    return Result(network, timings["ours"], timings[name], name, count, len(known) + len(kernels))


def _medians(kernels: Mapping[str, CompiledKernel]) -> dict[str, float]:
    """Seconds of kernels that take turns, each turn on new arrays: which sets of a cache their pages have is chance."""
    seconds: dict[str, list[float]] = {name: [] for name in kernels}
    for _ in range(TURNS):
        runners = {name: Ours([kernel], random(kernel, 1, is_single=False)) for name, kernel in kernels.items()}
        for name, timing in take_turns(runners, 1).items():
            seconds[name].append(timing.median)
    return {name: median(each) for name, each in seconds.items()}


def _einsum(network: Network) -> str:
    letters = "ABCD"[: len(network.factors)]
    shapes = [
        f"tensor {name}[{', '.join('16' for _ in each)}]" for name, each in zip(letters, network.factors, strict=True)
    ]
    factors = " * ".join(f"{name}[{','.join(each)}]" for name, each in zip(letters, network.factors, strict=True))
    result = ",".join(network.result)
    shapes.append(f"tensor R[{', '.join('16' for _ in network.result)}]")
    return "\n".join([*shapes, f"kernel product {{ R[{result}] = {factors} }}"])


def main(given: list[str] | None = None) -> int:
    """Prints a table: a row for each product, with its time over that of the best alternative."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.layouts", description=__doc__.splitlines()[0])
    parser.add_argument("--cases", type=int, default=CASES, help=f"products to draw, {CASES} if not given")
    parser.add_argument("--first", type=int, default=0, help="the number of the first product, 0 if not given")
    options = parser.parse_args(given)
    table = Table("product", "ours, ms", "best, ms", "ours / best", "alternatives", "kernels built", "best one")
    ratios = []
    for number in range(options.first, options.first + options.cases):
        result = compare(draw(Random(number), 4 if number % 2 == 0 else 2))
        ratios.append(result.ours / result.best)
        times = (f"{result.ours * 1e3:.2f}", f"{result.best * 1e3:.2f}", f"{ratios[-1]:.2f}")
        table.add_row(str(result.network), *times, str(result.alternatives), str(result.measured), result.name)
    console = Console(width=160 if not sys.stdout.isatty() else None)
    console.print(table)
    console.print(f"ours / best: median {median(ratios):.2f}, worst {max(ratios):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
