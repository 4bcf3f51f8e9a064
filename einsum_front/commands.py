"""What the commands of the command line do; each returns an exit code."""

import json
import sys
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from diagnostics import Source
from einsum_front import syntax
from einsum_front.colours import coloured
from einsum_front.compiled import Array, CompiledKernel, CompiledProgram
from einsum_front.data import load_arguments, random_arguments, save_arguments
from einsum_front.driver import PASSES, LevelValue, Observer, check_text, ignore, translate, translate_program
from einsum_front.driver.dump import Dump
from einsum_front.driver.targets import DEFAULT, target_of
from einsum_front.driver.texts import explanation, level_text, operation_count
from einsum_front.driver.verification import Comparison, arrays, has_batch
from einsum_front.einsum_string import einsum_program
from einsum_front.files import write_text
from einsum_front.options import READABLE_LEVELS, Level, Options
from einsum_front.parse import parse, read_source
from runtime.device import Device, available, find
from runtime.timing import Timing, measure

DIFFERENCE_FOUND = 3


class UsageError(Exception):
    """A command line that cannot be meant."""


def compile_(arguments: Namespace) -> int:
    """Translate, and print a level."""
    observe: Observer = print_step if arguments.print_after_all else ignore
    if arguments.dump_to is not None:
        observe = Dump(arguments.dump_to)
    program = _translate(arguments, None if arguments.device == "auto" else find(arguments.device), observe)
    if arguments.emit == "json":
        output = json.dumps([asdict(kernel.artifact) for kernel in program.values()], indent=2) + "\n"
    else:
        output = program.text(Level(arguments.emit), arguments.edition)
    if arguments.output is None:
        sys.stdout.write(coloured(output, arguments.emit, sys.stdout))
    else:
        write_text(arguments.output, output)
    return 0


def print_step(kernel: str, step: Level | str, value: LevelValue) -> None:
    """The observer of --print-after-all: the tensor language after each pass, on standard error."""
    if not isinstance(step, Level):
        text = f"; {kernel} after {step}\n{level_text(value)}\n"
        sys.stderr.write(coloured(text, Level.TL.value, sys.stderr))


def explain(arguments: Namespace) -> int:
    """Order, maps, operations, bytes and temporaries of every kernel, and what was rejected."""
    program = _translate(arguments, None, ignore)
    explanations = [explanation(kernel.translation) for kernel in program.values()]
    if arguments.json:
        print(json.dumps({"kernels": [each.data for each in explanations]}, indent=2))  # noqa: T201
    else:
        print("\n\n".join(each.text for each in explanations))  # noqa: T201
    return 0


def run(arguments: Namespace) -> int:
    """Translate, run over a batch, and say how long it took and whether it is right."""
    dump = Dump(arguments.dump_to) if arguments.dump_to else ignore
    program = _translate(arguments, find(arguments.device), dump)
    console = Console(highlight=False, soft_wrap=True)
    results: dict[str, Array] = {}
    agrees = True
    for kernel in program.values():
        values = _values(kernel, arguments)
        launch = kernel.prepare(*_groups(kernel, arguments), **values)
        timing = measure(launch, runs=arguments.repeat, warm_up=0)
        launch.finish()
        results |= {p.name: np.asarray(values[p.name]) for p in arrays(kernel.artifact) if p.is_written}
        console.print(_summary(kernel, timing, arguments.batch))
        if arguments.verify:
            agrees &= _report(console, kernel.verify(arguments.seed))
    if arguments.save is not None:
        save_arguments(arguments.save, results)
    return 0 if agrees else DIFFERENCE_FOUND


def _groups(kernel: CompiledKernel, arguments: Namespace) -> tuple[int, ...]:
    return () if has_batch(kernel.artifact) else (arguments.batch,)


def _summary(kernel: CompiledKernel, timing: Timing, batch: int) -> str:
    rate = operation_count(kernel.translation) * batch / timing.median * 1e-9
    each = timing.median / max(1, batch)
    return (
        f"{kernel.name}: {batch} elements in {timing.median * 1e6:.1f} µs, {each * 1e9:.1f} ns each, {rate:.2f} GFLOP/s"
    )


def check(arguments: Namespace) -> int:
    """Diagnostics only."""
    match _input(arguments):
        case syntax.Program() as program, Path() as directory:
            check_text(program, _options(arguments), directory)
        case Source() as source, Level() as level:
            translate(source, level, DEFAULT, _options(arguments))
    return 0


def devices(_arguments: Namespace) -> int:
    """The OpenCL devices, and which one `auto` takes."""
    chosen = find("auto").facts.number
    table = Table("", "number", "device", "driver", "vectors", "local memory", "compute units", "f64")
    for facts in available():
        table.add_row(
            "→" if facts.number == chosen else "",
            str(facts.number),
            facts.name,
            f"{facts.driver.name} ({facts.version})",
            f"{facts.vector_bytes * 8} bits",
            f"{facts.local_memory // 1024} KiB",
            str(facts.compute_units),
            "yes" if facts.has_fp64 else "no",
        )
    Console().print(table)
    return 0


def _translate(arguments: Namespace, device: Device | None, observe: Observer) -> CompiledProgram:
    """The kernels of the input, for a device or, where none is needed, for the embedded one."""
    target = DEFAULT if device is None else target_of(device.facts)
    options = _options(arguments)
    match _input(arguments):
        case syntax.Program() as program, Path() as directory:
            return CompiledProgram(translate_program(program, target, options, observe, directory), device)
        case Source() as source, Level() as level:
            return CompiledProgram(translate(source, level, target, options, observe), device)


def _input(arguments: Namespace) -> tuple[syntax.Program, Path] | tuple[Source, Level]:
    """What the user gave: a program in the notation with the folder of its paths, or a text of a lower level."""
    if (arguments.file is None) == (arguments.einsum is None):
        raise UsageError("one of FILE and --einsum is needed")
    if arguments.einsum is not None:
        shapes = [_shape(text) for text in arguments.shape]
        return einsum_program(arguments.einsum, shapes, arguments.real or "f64"), Path()
    source = _source(arguments.file)
    level = _level(arguments)
    if level is Level.EIN:
        return parse(source), arguments.file.parent
    return source, level


def _source(path: Path) -> Source:
    return Source("<stdin>", sys.stdin.read()) if str(path) == "-" else read_source(path)


def _level(arguments: Namespace) -> Level:
    """The level that `--from` or the suffix tells; `.ir` is a text of the tensor language as well."""
    if arguments.level is not None:
        return Level(arguments.level)
    suffix = arguments.file.suffix.removeprefix(".")
    levels = {level.value: level for level in READABLE_LEVELS} | {"ir": Level.TL}
    if suffix not in levels:
        raise UsageError(f"the level of `{arguments.file}` is not known: name it with --from {'|'.join(levels)}")
    return levels[suffix]


def _options(arguments: Namespace) -> Options:
    defines = {}
    for define in arguments.defines:
        name, equals, value = define.partition("=")
        if not equals:
            raise UsageError(f"-D takes NAME=VALUE, not `{define}`")
        defines[name.strip()] = value.strip()
    passes = tuple(name for name in getattr(arguments, "passes", "").split(",") if name)
    unknown = [name for name in passes if name not in PASSES]
    if unknown:
        raise UsageError(f"there is no pass `{unknown[0]}`: the passes are {', '.join(PASSES)}")
    return Options(defines, arguments.real, arguments.device, arguments.kernel, passes)


def _shape(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in text.split(",") if size.strip())
    except ValueError:
        raise UsageError(f"--shape takes sizes with commas between, not `{text}`") from None


def _values(kernel: CompiledKernel, arguments: Namespace) -> dict[str, object]:
    """The arguments of a kernel from the `.npz` file of the user, else random ones."""
    if arguments.data is None:
        return random_arguments(kernel.artifact, arguments.batch, arguments.seed)
    given = load_arguments(arguments.data)
    names = {parameter.name for parameter in kernel.artifact.parameters}
    return {name: value for name, value in given.items() if name in names}


def _report(console: Console, comparisons: tuple[Comparison, ...]) -> bool:
    """Prints how far each level is from the one before it; true if all agree."""
    for comparison in comparisons:
        verdict = "agrees" if comparison.agrees else "DIFFERS"
        console.print(f"  {comparison.level}: {verdict}, {comparison.error:.1e} of at most {comparison.tolerance:.1e}")
    first = next((c.level for c in comparisons if not c.agrees), None)
    if first is not None:
        console.print(f"  the first level that differs is {first}")
    return first is None
