"""The machine at hand as cost models see it, measured: `python -m benchmarks.weights` prints it as it can be pasted.

    memory          what Linux says of the caches of a core; the TLB is that of the machine that is taken so far
    gemm.cycles     products of two tensors of four modes each, drawn at random: extents, orders of modes, and one of
                    the ways to loop over matrix products, whose work `ir.plan.gemm` counts. A multiplication of vectors
                    takes half a cycle, which says how long a cycle is
    launch.kernel   a kernel that does next to nothing, beside the multiply-adds of all cores in the meantime
    work_group, batch_simd, packed
                    kernels of ADER-DG and batched squares in each schedule that they can have, in the cache. A time of
                    a schedule enters its cost linearly: what a kernel does of each is the difference that it makes

Fitted are the times of these things, none of them negative, so that the deviations of the sums from the measured times
are small (`benchmarks.fit`). What was fitted to products is then compared with others, which had no part in it; what
takes more than `SLOWEST` times as long as the fastest has none either: the planner does not take it. Limits and sizes
of blocks are not measured: they are those of the machine that is taken so far.
"""

import argparse
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

import numpy as np
from rich.console import Console
from rich.table import Table

import einsum_front as ef
from benchmarks.arguments import random as random_arguments
from benchmarks.case import WorkingSet
from benchmarks.fit import Numbers, Sample, fit, predicted
from benchmarks.peaks import Peaks
from benchmarks.schedule_times import TIMES, schedule_samples, with_times
from einsum_front.core.diagnostics import Source
from einsum_front.core.extent import product as product_of
from einsum_front.core.extent import static
from einsum_front.core.machine import Cache, GemmWork, Machine, Memory
from einsum_front.driver.targets import own_machine
from einsum_front.elaborate import elaborate
from einsum_front.ir.pipeline import emit_yateto
from einsum_front.ir.plan.emit_yateto import log_entries
from einsum_front.ir.plan.gemm import LoopedProduct, LoopsOverGemm, walks_of
from einsum_front.ir.plan.plan import Plan
from einsum_front.ir.plan.planner import plan
from einsum_front.ir.yateto import nodes as yir
from einsum_front.ir.yateto.unparse import unparse
from einsum_front.notation.check import check
from einsum_front.notation.parse import parse
from einsum_front.options import Level
from einsum_front.parsed import Program
from einsum_front.runtime import find_device
from einsum_front.runtime.launches.timing import measure

PRODUCTS = 300
RUNS = 5
EXTENTS = (8, 10, 12, 16, 16, 16, 20, 24, 32)
FEWEST, MOST = 2**18, 2**25
SLOWEST = 8.0
CACHES = Path("/sys/devices/system/cpu/cpu0/cache")
STARTS = 1000
ADDITION = "tensor x[1] constant\ntensor y[1]\nkernel add { y[i] = y[i] + x[i] }"


# -- loops over matrix products ----------------------------------------------------------------------------------------


def draw(random: Random) -> str:
    """The notation of a product."""
    while True:
        extents = {index: random.choice(EXTENTS) for index in "abpqxy"}
        if FEWEST <= int(np.prod(list(extents.values()))) <= MOST:
            break
    left, right, result = ("".join(random.sample(modes, 4)) for modes in ("abxy", "xypq", "abpq"))
    shapes = (
        (name, [str(extents[index]) for index in modes])
        for name, modes in zip("ABR", (left, right, result), strict=True)
    )
    lines = [f"tensor {name}[{', '.join(shape)}]" for name, shape in shapes]
    statement = f"R[{','.join(result)}] = A[{','.join(left)}] * B[{','.join(right)}]"
    return "\n".join([*lines, f"kernel product {{ {statement} }}"])


def sample(random: Random, machine: Machine) -> Callable[[], Sample]:
    """A product in some loops over matrix products, built; the call measures it."""
    program = check(parse(Source("product.ein", draw(random))))
    made = plan(elaborate(program.kernels[0], program), machine)
    (step,) = made.steps
    product = LoopedProduct(walks_of(step, made.tensors), machine.gemm, machine.memory)
    loops = random.choice(list(product.choices()))
    source = Source("product.yir", unparse(yir.Program((_in_loops(made, loops),))))
    kernel = ef.compile(Program(source, Level.YIR, Path(), None), schedule="work_group", cache=False)["product"]
    points = static(product_of(step.space.extents.values()))
    counts = zip(product.arithmetic(loops), product.misses(loops), strict=True)
    work = GemmWork(*((arithmetic + misses) / points for arithmetic, misses in counts))
    kernel.prepare(**random_arguments(kernel, 1, is_single=False).values).run()  # drivers build in the first launch

    def measured() -> Sample:
        launch = kernel.prepare(**random_arguments(kernel, 1, is_single=False).values)
        return Sample(work, measure(launch, RUNS).median / points)

    return measured


def _in_loops(made: Plan, loops: LoopsOverGemm) -> yir.Function:
    """The function of a plan of one product, with these loops."""
    (step,) = made.steps
    views = (*step.operands, step.target)
    modes = ([view.parts[mode] for mode in made.tensors[view.buffer].modes_by_stride] for view in views)
    left, right, target = (log_entries(tuple(part.index for part in parts), loops) for parts in modes)  # type: ignore[union-attr]
    function = emit_yateto(made)
    body = tuple(
        replace(each, map=yir.LogMap(left, right, target)) if isinstance(each, yir.Log) else each
        for each in function.body
    )
    return replace(function, body=body)


def _quick(samples: Sequence[Sample]) -> list[Sample]:
    limit = SLOWEST * min(each.seconds for each in samples)
    return [each for each in samples if each.seconds <= limit]


def fitted_gemm(machine: Machine, fitted: Sequence[Sample], others: Sequence[Sample], console: Console) -> Machine:
    """The machine with the cycles of loops over matrix products; what no sample does keeps its cycles."""
    seconds, model = fit(fitted), machine.gemm
    cycle = seconds[0] / model.cycles.vectors
    found = np.where(np.isnan(seconds), model.cycles, seconds / cycle)
    table = Table("cycles", "fitted", machine.name)
    for name, value, now in zip(GemmWork._fields, found, model.cycles, strict=True):
        table.add_row(name, f"{value:.2f}", f"{now:.2f}")
    console.print(table)
    now_seconds = np.array(model.cycles) * _scale(others, list(model.cycles))
    errors = {"fitted": predicted(others, list(seconds)), machine.name: predicted(others, list(now_seconds))}
    _print_errors(f"{len(others)} other products", errors, console)
    console.print(f"a cycle takes {cycle * 1e9:.3f} ns")
    cycles = GemmWork(*(_rounded(value) for value in found.tolist()))
    return replace(machine, gemm=replace(model, cycles=cycles))


def _scale(samples: Sequence[Sample], times: Sequence[float]) -> float:
    """The unit of times that makes predictions right in the median."""
    return 1 / float(np.median(predicted(samples, times)))


def _print_errors(what: str, ratios: Mapping[str, Numbers], console: Console) -> None:
    errors = Table(f"predicted over measured, {what}", "5%", "25%", "50%", "75%", "95%")
    for name, each in ratios.items():
        errors.add_row(name, *(f"{value:.2f}" for value in np.percentile(each, [5, 25, 50, 75, 95])))
    console.print(errors)


# -- schedules ---------------------------------------------------------------------------------------------------------


def fitted_schedules(machine: Machine, samples: Sequence[Sample], console: Console) -> Machine:
    """The machine with the times of the three schedules; what no sample does keeps its time."""
    seconds, now = fit(samples), [1.0, *(each.of(machine) for each in TIMES)]
    unit = float(seconds[0])
    found = np.where(np.isnan(seconds), now, seconds / unit)
    table = Table("multiplications of an element", "fitted", machine.name)
    for time, value, before in zip(TIMES, found[1:], now[1:], strict=True):
        table.add_row(f"{time.schedule}.{time.name}", f"{value:.2f}", f"{before:.2f}")
    console.print(table)
    now_seconds = np.array(now) * _scale(samples, now)
    errors = {"fitted": predicted(samples, list(seconds)), machine.name: predicted(samples, list(now_seconds))}
    _print_errors(f"{len(samples)} kernels", errors, console)
    console.print(f"a multiplication takes {unit * 1e9:.3f} ns")
    return with_times(machine, [_rounded(value) for value in found[1:].tolist()])


# -- caches and launches -----------------------------------------------------------------------------------------------


def read_memory(memory: Memory) -> Memory:
    """The caches of a core, as Linux says them; what it does not say stays."""
    caches = [each for each in CACHES.glob("index*") if _word(each, "type") != "Instruction"]
    lines = [each for each in caches if _word(each, "level") == "1"]
    second = [each for each in caches if _word(each, "level") == "2"]
    if not lines or not second:
        return memory
    unit, sets, ways = (
        int(_word(lines[0], name)) for name in ("coherency_line_size", "number_of_sets", "ways_of_associativity")
    )
    last = max(caches, key=lambda each: _word(each, "level"))
    beside, shared = (int(_word(each, "size").removesuffix("K")) * 1024 for each in (second[0], last))
    return replace(memory, lines=Cache(unit, sets, ways), second=beside, last=shared)


def _word(cache: Path, name: str) -> str:
    return (cache / name).read_text(encoding="ascii").strip()


def operations_of_a_start() -> float:
    """The operations of all cores in the time that it takes to start a kernel when others were started before."""
    kernel = ef.compile(ef.parse(ADDITION), cache=False)["add"]
    launch = kernel.prepare(**random_arguments(kernel, 1, is_single=False).values)
    launch.run()
    launch.finish()
    start = perf_counter()
    for _ in range(STARTS):
        launch.run()
    launch.finish()
    seconds = (perf_counter() - start) / STARTS
    peak = Peaks(find_device()).operations("f64")
    return seconds * peak.work / median(peak.run() for _ in range(RUNS))


# -- the machine as text -----------------------------------------------------------------------------------------------


def literal(value: object, before: object, indent: str = "") -> Iterator[str]:
    """The lines of a machine as Python; what is as it was `before` says so."""
    inner = f"{indent}    "
    yield f"{type(value).__name__}("
    for name in _names(value):
        here, there = getattr(value, name), getattr(before, name)
        if _names(here):
            first, *rest = literal(here, there, inner)
            yield f"{inner}{name}={first}"
            yield from rest[:-1]
            yield f"{rest[-1]},"
        else:
            yield f"{inner}{name}={here!r},{'' if here != there else '  # as before'}"
    yield f"{indent})"


def _names(value: object) -> tuple[str, ...]:
    if is_dataclass(value):
        return tuple(field.name for field in fields(value))
    return value._fields if isinstance(value, GemmWork) else ()


def _rounded(value: float) -> float:
    """Two digits behind the point, or as many before it: more are noise."""
    return round(value, 2) if value < 10 else float(round(value))


def processor() -> str:
    """The name of the processor as Linux has it."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "a processor")


def main(given: list[str] | None = None) -> int:
    """Prints what was fitted beside what is taken so far, how far predictions are off, and the machine."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.weights", description=__doc__.splitlines()[0])
    parser.add_argument("--products", type=int, default=PRODUCTS, help=f"to fit to, {PRODUCTS} if not given")
    parser.add_argument("--quick", action="store_true", help="fewer kernels in each schedule")
    options = parser.parse_args(given)
    random, taken, console = Random(options.products), own_machine(), Console()
    before = replace(taken, memory=read_memory(taken.memory))  # what products wait for is counted in its caches
    products = [sample(random, before) for _ in range(options.products + options.products // 3)]
    kernels = list(schedule_samples(before, WorkingSet.CACHE, options.quick))
    console.print(f"{len(products)} products and {len(kernels)} kernels are built: now they are measured")
    measured = [each() for each in products]
    fitted, others = (_quick(each) for each in (measured[: options.products], measured[options.products :]))
    machine = fitted_gemm(before, fitted, others, console)
    machine = fitted_schedules(machine, [each() for each in kernels], console)
    start = _rounded(operations_of_a_start())
    machine = replace(machine, launch=replace(machine.launch, kernel=start), name=processor())
    print("\n".join(literal(machine, taken)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
