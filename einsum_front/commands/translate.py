"""The commands `compile` and `check`: a text at another level, or what is wrong with it."""

import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from einsum_front import driver
from einsum_front.colours import coloured
from einsum_front.commands.input import (
    Given,
    described_gpu,
    device_of,
    read_input,
    read_options,
    reject_device,
    target_for,
    translated,
)
from einsum_front.commands.usage import UsageError
from einsum_front.core.diagnostics import Source
from einsum_front.core.texts import read_source
from einsum_front.driver import (
    LevelValue,
    Observer,
    Session,
    Stages,
    check_text,
    translate_text,
)
from einsum_front.driver.targets import DEFAULT
from einsum_front.driver.texts import artifacts_as_json, joined_text, level_text, program_text
from einsum_front.files import write_text
from einsum_front.notation import syntax
from einsum_front.options import MLIR_TEXTS, Level

if TYPE_CHECKING:
    from einsum_front.runtime import Device

ORDER = list(Level)

GPU_TEXTS = {"cu": "cuda", "sycl": "sycl"}


def compile_(arguments: Namespace) -> int:
    """Translate, and print a level; with --dump-to all levels are in files, and one is printed if it is asked for."""
    needs_none = arguments.device is None and not arguments.tune
    output = _compiled(arguments, None if needs_none else device_of(arguments.device or "auto"))
    if arguments.output is not None:
        write_text(arguments.output, output)
    elif arguments.emit is not None or arguments.dump_to is None:
        sys.stdout.write(coloured(output, arguments.emit or Level.CL.value, sys.stdout))
    return 0


def _compiled(arguments: Namespace, device: "Device | None") -> str:
    """The text that is asked for; the tensor language from the tensor language need not fit a device."""
    given = read_input(arguments)
    observe = _observer(arguments, given)
    if arguments.steps is not None and arguments.emit != "linalg-loops":
        raise UsageError("--steps is for --emit linalg-loops")
    if (language := GPU_TEXTS.get(arguments.emit)) is not None:
        gpu = described_gpu(arguments, language) or driver.gpu_target(driver.DEFAULT_ARCHITECTURE, language)
        kernels = translated(given, arguments, None, observe, gpu)
        return driver.gpu_text((kernel.artifact for kernel in kernels), language)
    if arguments.emit == "ods-yaml":
        return _named_operations(given)
    target = described_gpu(arguments, "opencl")
    if arguments.emit == "json":
        return artifacts_as_json(each.artifact for each in translated(given, arguments, device, observe, target))
    if arguments.emit in MLIR_TEXTS:
        return _in_mlir(arguments, lambda: translated(given, arguments, device, observe, target))
    if arguments.emit == "c":
        from einsum_front.driver.c_functions import INSTRUCTION_SETS, c_target, c_text  # noqa: PLC0415 - for this only

        reject_device(arguments)
        return c_text(translated(given, arguments, None, observe, c_target(INSTRUCTION_SETS[0])))
    wanted = Level(arguments.emit or Level.CL)
    has_pipeline = arguments.dump_to is not None or (_prints_passes(arguments) and not arguments.passes)
    match given:
        case Source() as source, Level.TL if wanted is Level.TL and not has_pipeline:
            session = Session(target or target_for(device), read_options(arguments), observe)
            functions = driver.transform(session, source)
            return program_text(functions, arguments.edition)
        case Source(), Level() as level if ORDER.index(wanted) < ORDER.index(level):
            raise UsageError(f"a text at the level `{level.value}` has no `{wanted.value}`")
        case _:  # open: programs, and texts that start above what is wanted
            stages = translated(given, arguments, device, observe, target)
            return joined_text(stages, wanted, arguments.edition)


def _in_mlir(arguments: Namespace, translate: Callable[[], tuple[Stages, ...]]) -> str:
    """The kernels as a module of MLIR, after the steps of --steps; a text that begins below has no graph."""
    from einsum_front.driver.mlir_texts import WRITERS, linalg_loops_text  # noqa: PLC0415 - other levels need none
    from einsum_front.mlir.transform import parse_steps  # noqa: PLC0415 - as above

    steps = () if arguments.steps is None else parse_steps(read_source(arguments.steps))
    kernels = translate()
    made = linalg_loops_text(kernels, steps) if steps else WRITERS[arguments.emit](kernels)
    if made is None:
        above = "graph" if arguments.emit == "linalg" else "plan"
        raise UsageError(f"a text that begins below the {above} has no `{arguments.emit}`")
    return made


def _named_operations(given: Given) -> str:
    """What MLIR's generator of named operations reads: the definitions of a text in tc."""
    match given:
        case Source() as source, Level.TC:
            from einsum_front.tc.ods_yaml import ods_yaml  # noqa: PLC0415 - other levels need none of it

            return ods_yaml(driver.definitions_of(source))
        case _:
            raise UsageError("--emit ods-yaml is for definitions: a file .tc")


def _observer(arguments: Namespace, given: Given) -> Observer:
    """Observer for --print-changed, --print-after-all and --dump-to, which has what passes make if they are printed."""
    observers: list[Observer] = []
    if _prints_passes(arguments):
        observers.append(_print_steps(only_changed=arguments.print_changed))
    if arguments.dump_to is not None:
        from einsum_front.driver.dump import start_dump  # noqa: PLC0415 - most commands write no folder

        has_passes = _prints_passes(arguments)
        observers.append(start_dump(arguments.dump_to, given[0], read_options(arguments), has_passes=has_passes))

    def observe(kernel: str, step: Level | str, value: LevelValue) -> None:
        for each in observers:
            each(kernel, step, value)

    return observe


def _prints_passes(arguments: Namespace) -> bool:
    return bool(arguments.print_after_all or arguments.print_changed)


def _print_steps(*, only_changed: bool) -> Observer:
    """What each pass makes, on standard error; of passes that changed nothing, nothing."""
    before: dict[tuple[str, type], str] = {}

    def observe(kernel: str, step: Level | str, value: LevelValue) -> None:
        text, key = level_text(value), (kernel, type(value))
        is_new = before.get(key) != text
        before[key] = text
        if not isinstance(step, Level) and (is_new or not only_changed):
            sys.stderr.write(coloured(f"; {kernel} after {step}\n{text}\n", Level.TL.value, sys.stderr))

    return observe


def check(arguments: Namespace) -> int:
    """Diagnostics only."""
    match read_input(arguments):
        case syntax.Program() as program, Path() as directory:
            check_text(program, read_options(arguments), directory)
        case Source() as source, Level.TC:
            driver.definitions_of(source)
        case Source() as source, Level.TL:
            driver.transform(Session(DEFAULT, read_options(arguments)), source)
        case Source() as source, Level() as level:
            translate_text(Session(DEFAULT, read_options(arguments)), source, level)
    return 0
