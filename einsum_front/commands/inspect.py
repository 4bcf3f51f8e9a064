"""The command `inspect`: a page with a kernel at every level."""

import webbrowser
from argparse import Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from einsum_front import runtime
from einsum_front.commands.input import Given, described_gpu, read_input, translated, with_notation_of_opencl
from einsum_front.commands.usage import UsageError
from einsum_front.core.diagnostics import CompileError, Source
from einsum_front.core.terminal import say
from einsum_front.core.texts import read_source
from einsum_front.core.words import counted
from einsum_front.driver import Observer, Stages
from einsum_front.driver.made_from import source_of
from einsum_front.files import write_text
from einsum_front.inspector import collect, model, page
from einsum_front.notation import syntax
from einsum_front.notation.unparse import unparse
from einsum_front.options import Level

if TYPE_CHECKING:
    from einsum_front.inspector.measure import Measured
    from einsum_front.runtime import Device


def inspect(arguments: Namespace) -> int:
    """Writes the page; mistakes of the text are shown in it, and the exit code says that there are some."""
    arguments = with_notation_of_opencl(arguments)
    edited = None if arguments.opencl is None else read_source(arguments.opencl)
    target = described_gpu(arguments, "opencl")
    if target is not None and arguments.measure:
        raise UsageError("--measure runs on a device, and --target and --arch describe one that need not be there")
    needs_device = arguments.measure or arguments.device is not None or arguments.tune
    device = runtime.find_device(arguments.device or "auto") if needs_device else None
    found: Given | None = None

    def translate(observe: Observer) -> tuple[Stages, ...]:
        nonlocal found
        found = read_input(arguments)
        stages = translated(found, arguments, device, observe, target)
        if edited is not None and len(stages) > 1:
            names = ", ".join(each.name for each in stages)
            raise UsageError(f"--opencl is one kernel: choose it with --kernel among {names}")
        return stages

    collected = collect(translate, edited)
    source, level, program = _text(found, arguments)
    measured = _measured(tuple(each.stages for each in collected.kernels), device, arguments)
    file = arguments.output or Path(f"{_stem(arguments)}.html")
    write_text(file, page(model(source.name, collected, source, level, program, measured)))
    say(f"{file}: {counted(len(collected.kernels), 'kernel')}, {file.stat().st_size / 1024:.0f} KiB")
    if arguments.open:
        webbrowser.open(file.resolve().as_uri())
    if collected.diagnostics:
        raise CompileError(collected.diagnostics)
    return 0


def _text(found: Given | None, arguments: Namespace) -> tuple[Source, Level, syntax.Program | None]:
    """The text that is shown first, its level, and the program that it spells; a text may have mistakes."""
    match found:
        case syntax.Program() as program, Path():
            source = source_of(program)
            return source or Source("<program>", unparse(program)), Level.EIN, program
        case Source() as source, Level() as level:
            return source, level, None
        case None:
            if arguments.einsum is not None:
                return Source("<einsum>", arguments.einsum), Level.EIN, None
            return read_source(arguments.file), Level.EIN, None


def _measured(
    kernels: tuple[Stages, ...], device: "Device | None", arguments: Namespace
) -> "dict[str, Measured] | None":
    if not arguments.measure or device is None:
        return None
    from einsum_front.inspector.measure import measure_kernels  # noqa: PLC0415 - it loads what runs kernels

    return measure_kernels(kernels, device, arguments.real)


def _stem(arguments: Namespace) -> str:
    file = arguments.file if arguments.opencl is None else arguments.opencl
    return "einsum" if file is None or str(file) == "-" else str(file.stem)
