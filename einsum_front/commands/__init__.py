"""The commands of the command line; each returns an exit code."""

import json
import os
import sys
from argparse import Namespace
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from rich.text import Text

from einsum_front import drawing, ir
from einsum_front.colours import coloured
from einsum_front.commands.completion import SHELLS, completion
from einsum_front.commands.input import (
    Given,
    batch_of_string,
    described_gpu,
    read_input,
    read_options,
    target_for,
    translated,
)
from einsum_front.commands.inspect import inspect
from einsum_front.commands.orders import why_not
from einsum_front.commands.output import Output
from einsum_front.commands.package import package, reject_device
from einsum_front.commands.run import run
from einsum_front.commands.tables import print_tables
from einsum_front.commands.tuning import cache, reporting, showing
from einsum_front.commands.usage import UsageError
from einsum_front.commands.yateto import yateto
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.texts import read_source
from einsum_front.core.words import listed
from einsum_front.driver import (
    DEFAULT_ARCHITECTURE,
    GraphStages,
    LevelValue,
    Observer,
    Session,
    Stages,
    check_text,
    cuda_text,
    definitions_of,
    gpu_target,
    ignore,
    plan_program,
    transform,
    translate_text,
)
from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target, c_text
from einsum_front.driver.dump import start_dump
from einsum_front.driver.offline import TARGETS
from einsum_front.driver.targets import DEFAULT, target_of
from einsum_front.driver.texts import (
    artifacts_as_json,
    explanation,
    level_text,
    linalg_loops_text,
    linalg_text,
    primitives_text,
    program_text,
)
from einsum_front.files import write_bytes, write_text
from einsum_front.mlir.transform import Step, parse_steps
from einsum_front.notation import syntax
from einsum_front.options import Level
from einsum_front.runtime import DEVICE_VARIABLE, Device, DeviceFacts, available_devices, c_facts, find_device
from einsum_front.tc.ods_yaml import ods_yaml

__all__ = [
    "SHELLS",
    "UsageError",
    "cache",
    "check",
    "compile_",
    "completion",
    "devices",
    "explain",
    "inspect",
    "package",
    "run",
    "targets",
    "yateto",
]

ORDER = list(Level)


def compile_(arguments: Namespace) -> int:
    """Translate, and print a level; with --dump-to all levels are in files, and one is printed if it is asked for."""
    needs_none = arguments.device is None and not arguments.tune
    output = _compiled(arguments, None if needs_none else _device(arguments.device or "auto"))
    if arguments.output is not None:
        write_text(arguments.output, output)
    elif arguments.emit is not None or arguments.dump_to is None:
        sys.stdout.write(coloured(output, arguments.emit or Level.CL.value, sys.stdout))
    return 0


def _device(name: str) -> Device:
    """The device of a name; where it is not there, the error says which target code can be made for instead."""
    try:
        return find_device(name)
    except CompileError as error:
        targets = [target for target in TARGETS if target.startswith(name.casefold())]
        if not targets:
            raise
        note = f"code for a device that is not here: {', '.join(f'`--target {each}`' for each in targets)}"
        raise CompileError(replace(each, notes=(*each.notes, note)) for each in error.diagnostics) from None


def targets(_arguments: Namespace) -> int:
    """Lists the machines that `compile --target` makes code for."""
    output = Output()
    for name, target in TARGETS.items():
        kind = f"vectors of {target.vector_bytes} bytes" if target.is_cpu else f"{target.compute_units} compute units"
        output.print(f"{name}: {target.name}, {kind}, machine: {target.machine.name}")
    return 0


def _compiled(arguments: Namespace, device: Device | None) -> str:
    """The text that is asked for; the tensor language from the tensor language need not fit a device."""
    given = read_input(arguments)
    observe = _observer(arguments, given)
    if arguments.steps is not None and arguments.emit != "linalg-loops":
        raise UsageError("--steps is for --emit linalg-loops")
    if arguments.emit == "cu":
        gpu = described_gpu(arguments, "cuda") or gpu_target(DEFAULT_ARCHITECTURE, "cuda")
        return cuda_text(kernel.artifact for kernel in translated(given, arguments, None, observe, gpu).values())
    if arguments.emit == "ods-yaml":
        return _named_operations(given)
    target = described_gpu(arguments, "opencl")
    if arguments.emit == "json":
        program = translated(given, arguments, device, observe, target)
        return artifacts_as_json(kernel.artifact for kernel in program.values())
    if arguments.emit in MLIR_TEXTS:
        steps = () if arguments.steps is None else parse_steps(read_source(arguments.steps))
        program = translated(given, arguments, device, observe, target)
        return _linalg([kernel.translation for kernel in program.values()], arguments.emit, steps)
    if arguments.emit == "c":
        reject_device(arguments)
        program = translated(given, arguments, None, observe, c_target(INSTRUCTION_SETS[0]))
        return c_text(kernel.translation for kernel in program.values())
    wanted = Level(arguments.emit or Level.CL)
    match given:
        case Source() as source, Level.TL if wanted is Level.TL and arguments.dump_to is None:
            functions = transform(Session(target or target_for(device), read_options(arguments), observe), source)
            return program_text(functions, arguments.edition)
        case Source(), Level() as level if ORDER.index(wanted) < ORDER.index(level):
            raise UsageError(f"a text at the level `{level.value}` has no `{wanted.value}`")
        case _:  # open: programs, and texts that start above what is wanted
            return translated(given, arguments, device, observe, target).text(wanted, arguments.edition)


MLIR_TEXTS = {"linalg": linalg_text, "linalg-loops": linalg_loops_text, "tpp": primitives_text}
"""What is written in MLIR of kernels, by what `--emit` asks for."""


def _linalg(kernels: list[Stages], emit: str, steps: Sequence[Step] = ()) -> str:
    """The kernels as a module of MLIR, after `steps`; a text that begins below has no graph."""
    made = linalg_loops_text(kernels, steps) if steps else MLIR_TEXTS[emit](kernels)
    if made is None:
        above = "graph" if emit == "linalg" else "plan"
        raise UsageError(f"a text that begins below the {above} has no `{emit}`")
    return made


def _named_operations(given: Given) -> str:
    """What MLIR's generator of named operations reads: the definitions of a text in tc."""
    match given:
        case Source() as source, Level.TC:
            return ods_yaml(definitions_of(source))
        case _:
            raise UsageError("--emit ods-yaml is for definitions: a file .tc")


def _observer(arguments: Namespace, given: Given) -> Observer:
    """Observer for --print-after-all and --dump-to; with both, the folder has what the passes make."""
    observers: list[Observer] = [print_step] if arguments.print_after_all else []
    if arguments.dump_to is not None:
        has_passes: bool = arguments.print_after_all
        observers.append(start_dump(arguments.dump_to, given[0], read_options(arguments), has_passes=has_passes))

    def observe(kernel: str, step: Level | str, value: LevelValue) -> None:
        for each in observers:
            each(kernel, step, value)

    return observe


def print_step(kernel: str, step: Level | str, value: LevelValue) -> None:
    """The observer of --print-after-all: what each pass makes, on standard error."""
    if not isinstance(step, Level):
        text = f"; {kernel} after {step}\n{level_text(value)}\n"
        sys.stderr.write(coloured(text, Level.TL.value, sys.stderr))


def explain(arguments: Namespace) -> int:
    """Order, maps, operations, bytes and temporaries of every kernel, and what was rejected."""
    given = read_input(arguments)
    if arguments.draw is not None and arguments.draw.suffix not in drawing.SUFFIXES:
        raise UsageError(f"--draw writes {listed(drawing.SUFFIXES, 'or')}, not `{arguments.draw}`")
    if arguments.draw is not None and given[1] in (Level.YIR, Level.TL):
        raise UsageError("--draw is for texts above the plan: one below it has no contraction graph")
    if arguments.why_not is not None and arguments.json:
        raise UsageError("--why-not is answered in words, and --json is for programs")
    device = None if arguments.device is None else _device(arguments.device)
    target = target_for(device)
    explained: list[ir.Planned] | list[Stages]
    match given:
        case syntax.Program() as program, Path() as directory:  # what does not fit a device has a plan as well
            with reporting() as progress:
                session = Session(target, read_options(arguments), showing(progress, ignore))
                explained = planned = list(plan_program(session, program, directory))
        case _:  # open: texts below the notation
            explained = stages = [
                kernel.translation for kernel in translated(given, arguments, device, ignore).values()
            ]
            planned = [each.planned for each in stages if isinstance(each, GraphStages)]
    if arguments.draw is not None:
        _draw(arguments, planned)
    if arguments.json:
        print(json.dumps({"kernels": [explanation(each, target) for each in explained]}, indent=2))  # noqa: T201
    elif arguments.why_not is not None:
        output = Output()
        for line in why_not([each.plan for each in explained if isinstance(each, ir.Planned)], arguments.why_not):
            output.print(Text(line))
    else:
        print_tables(explained, arguments.orders, target)
        if (batch := batch_of_string(arguments)) is not None:
            words = f"the first index of the result is the batch, of size {batch}: the numbers are those of one element"
            print(f"\n{words}")  # noqa: T201
        if arguments.draw is not None:
            print(f"\nthe drawing is in {arguments.draw}")  # noqa: T201
    return 0


def _draw(arguments: Namespace, planned: Iterable[ir.Planned]) -> None:
    """Writes the drawing; kernels that differ in numbers only are drawn once."""
    has_batch = arguments.einsum is None or batch_of_string(arguments) is not None
    sheets = (sheet for each in planned for sheet in ir.sheets(each.graph, each.plan, has_batch=has_batch))
    write_bytes(arguments.draw, drawing.file_of(ir.folded_sheets(sheets), arguments.draw.suffix))


def check(arguments: Namespace) -> int:
    """Diagnostics only."""
    match read_input(arguments):
        case syntax.Program() as program, Path() as directory:
            check_text(program, read_options(arguments), directory)
        case Source() as source, Level.TC:
            definitions_of(source)
        case Source() as source, Level.TL:
            transform(Session(DEFAULT, read_options(arguments)), source)
        case Source() as source, Level() as level:
            translate_text(Session(DEFAULT, read_options(arguments)), source, level)
    return 0


def devices(_arguments: Namespace) -> int:
    """The devices, which one `auto` takes, and what decides how kernels are made for them."""
    chosen = find_device("auto").facts.selector
    source = f", from {DEVICE_VARIABLE}" if os.environ.get(DEVICE_VARIABLE, "auto") != "auto" else ""
    output = Output()
    for facts in (*available_devices(), *_device_c(chosen)):
        mark = f" (auto{source})" if facts.selector == chosen else ""
        output.print(
            Text.assemble(
                (f"device {facts.selector}{mark}", "bold"),
                f": {facts.description}",
            )
        )
        output.print(f"  {', '.join(facts.abilities)}")
        output.print(f"  costs are those of: {target_of(facts).machine.name}")
        if facts.driver.remarks:
            output.print(f"  known: {'; '.join(facts.driver.remarks)}")
    return 0


def _device_c(chosen: str) -> tuple[DeviceFacts, ...]:
    """Device `c`, as it is chosen or by itself; nothing without a compiler."""
    try:
        return (c_facts(chosen if chosen.startswith("c:") else "c"),)
    except CompileError:
        return ()
