"""The command `run`: a kernel over a batch, how long it takes, and whether it is right."""

from argparse import Namespace
from collections.abc import Mapping

import numpy as np
from rich.console import Console

from einsum_front.commands.given import check_names, read_given, split_given
from einsum_front.commands.input import level_of, read_input, translated
from einsum_front.commands.usage import UsageError
from einsum_front.compiled import Array, CompiledKernel
from einsum_front.data import Given, batch_size, load_arguments, random_arguments, save_arguments
from einsum_front.driver import ignore
from einsum_front.driver.dump import Dump
from einsum_front.driver.texts import operation_count
from einsum_front.driver.verification import Comparison, arrays
from einsum_front.options import Level
from runtime.device import find
from runtime.timing import Timing, measure

DIFFERENCE_FOUND = 3


def run(arguments: Namespace) -> int:
    """Translate, run over a batch, and say how long it took and whether it is right."""
    texts = split_given(arguments.args)
    dump = Dump(arguments.dump_to) if arguments.dump_to else ignore
    program = translated(read_input(arguments), arguments, find(arguments.device), dump)
    check_names(texts, [kernel.artifact for kernel in program.values()])
    console = Console(highlight=False, soft_wrap=True)
    results: dict[str, Array] = {}
    agrees = True
    for kernel in program.values():
        values = _values(kernel, arguments, read_given(texts, kernel.artifact))
        count = _group_count(kernel, values, arguments)
        # before the device runs: the interpreters say what is undefined, a device does anything then
        comparisons = _comparisons(kernel, values, count, arguments) if arguments.verify else ()
        timing = _run_timed(kernel, values, count, arguments.repeat)
        results |= {p.name: np.asarray(values[p.name]) for p in arrays(kernel.artifact) if p.is_written}
        console.print(_summary(kernel, timing, count))
        agrees &= _report(console, comparisons)
    if arguments.save is not None:
        save_arguments(arguments.save, results)
    return 0 if agrees else DIFFERENCE_FOUND


def _values(kernel: CompiledKernel, arguments: Namespace, given: Given) -> dict[str, object]:
    """The arguments of a kernel: what the user gives, and random ones, unless there is a file of them."""
    if arguments.data is None:
        batch = 1 if arguments.batch is None else arguments.batch
        return random_arguments(kernel.artifact, batch, arguments.seed, given)
    if given.shapes:
        name = next(iter(given.shapes))
        raise UsageError(f"--args gives sizes for `{name}`, but arrays come from {arguments.data}")
    names = {parameter.name for parameter in kernel.artifact.parameters}
    loaded = {name: value for name, value in load_arguments(arguments.data).items() if name in names}
    return {**loaded, **given.numbers}


def _group_count(kernel: CompiledKernel, values: Mapping[str, object], arguments: Namespace) -> int:
    """The number of work-groups: as asked for, else as many as the arguments have elements, else one."""
    if arguments.batch is not None:
        return int(arguments.batch)
    found = batch_size(kernel.artifact, values)
    return 1 if found is None else found


def _run_timed(kernel: CompiledKernel, values: dict[str, object], count: int, runs: int) -> Timing:
    launch = kernel.prepare(count, **values)
    timing = measure(launch, runs=runs, warm_up=0)
    launch.finish()
    return timing


def _comparisons(
    kernel: CompiledKernel, values: Mapping[str, object], count: int, arguments: Namespace
) -> tuple[Comparison, ...]:
    """Every level against the one before: on the data of the run if the user chose them, or if no level is slow."""
    is_chosen = arguments.data is not None or bool(arguments.args)
    if is_chosen or level_of(arguments) is Level.TL:
        return kernel.compare_levels(values, count)
    return kernel.verify(arguments.seed)


def _summary(kernel: CompiledKernel, timing: Timing, count: int) -> str:
    words = f"{kernel.name}: {count} elements in {timing.median * 1e6:.1f} µs"
    if not timing.median:
        return words
    rate = operation_count(kernel.translation) * count / timing.median * 1e-9
    return f"{words}, {timing.median / count * 1e9:.1f} ns each, {rate:.2f} GFLOP/s"


def _report(console: Console, comparisons: tuple[Comparison, ...]) -> bool:
    """Prints how far each level is from the one before it; true if all agree."""
    for comparison in comparisons:
        verdict = "agrees" if comparison.agrees else "DIFFERS"
        console.print(f"  {comparison.level}: {verdict}, {comparison.error:.1e} of at most {comparison.tolerance:.1e}")
    first = next((c.level for c in comparisons if not c.agrees), None)
    if first is not None:
        console.print(f"  the first level that differs is {first}")
    return first is None
