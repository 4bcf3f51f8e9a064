"""Input of a command: the text that the command line names, its level, and how to translate it."""

import re
import sys
from argparse import Namespace
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from einsum_front import driver, runtime
from einsum_front.commands.progress import reporting, showing
from einsum_front.commands.usage import UsageError
from einsum_front.core.diagnostics import CompileError, Diagnostic, Source
from einsum_front.core.limits import LARGEST_TEXT
from einsum_front.core.texts import decoded, read_source
from einsum_front.core.words import natural
from einsum_front.driver import PASSES, Observer, Session, Stages, translate_program, translate_text
from einsum_front.driver.choice import chooser, tell_unused
from einsum_front.driver.made_from import digest_of, read_header
from einsum_front.driver.targets import DEFAULT, Target, target_of
from einsum_front.index_string.notation import notation_of
from einsum_front.index_string.program import IndexString, read_einsum
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse
from einsum_front.options import MLIR_LEVELS, SUFFIXES, Level, Options, ScheduleOptions

if TYPE_CHECKING:
    from einsum_front.runtime import Device

Notation = tuple[syntax.Program, Path]
"""A program in the notation, and the folder that its paths start from."""

Text = tuple[Source, Level]
"""A text below the notation, and the language that it is in."""


UNPLANNED = (Level.EIN, *MLIR_LEVELS, Level.TC)
"""The levels above the plan."""

Given = Notation | Text
"""What a command translates."""

NOT_READ = {
    "cl": "OpenCL C, which `run` takes for the kernel of another text: --opencl",
    "json": "what programs read of OpenCL C",
    "graph": "a contraction graph, which is printed only",
    "plan": "a plan, which is printed only",
    "py": "Python, which `einsum-front yateto` runs if it is a script for YATeTo",
}
"""Suffixes of what the compiler writes and does not read."""


def translated(
    given: Given,
    arguments: Namespace,
    device: "Device | None",
    observe: Observer,
    target: Target | None = None,
) -> tuple[Stages, ...]:
    """The kernels of the input, for a device or, where none is needed, for a target: that of the embedded device."""
    with reporting() as report:
        decide = chooser(_schedule_options(arguments), device, report)
        session = Session(target or target_for(device), read_options(arguments), showing(report, observe), decide)
        match given:
            case syntax.Program() as program, Path() as directory:
                found: tuple[Stages, ...] = translate_program(session, program, directory)
            case Source() as source, Level() as level:
                found = translate_text(session, source, level)
        tell_unused(decide, [each.name for each in found], report)
        return found


def kernel_of(program: syntax.Program, directory: Path, name: str, device: "Device | None" = None) -> Stages:
    """One kernel of a program in the notation by its name, for a device or the embedded one."""
    session = Session(target_for(device), Options(kernel=name))
    return next(each for each in translate_program(session, program, directory) if each.name == name)


def _schedule_options(arguments: Namespace) -> ScheduleOptions:
    """How kernels get their schedules; `explain` has none of these options, and needs no device."""
    if not hasattr(arguments, "tune"):
        return ScheduleOptions()
    return ScheduleOptions(arguments.schedule, arguments.tune, not arguments.no_cache)


def target_for(device: "Device | None") -> Target:
    """Target of the code: the device, or the embedded one where none is needed."""
    return DEFAULT if device is None else target_of(device.facts)


def described_gpu(arguments: Namespace, language: str) -> Target | None:
    """Target of --arch or --target: a machine that need not be there. None without them."""
    named = getattr(arguments, "target", None) if language == "opencl" else None
    if arguments.arch is None and named is None:
        return None
    asked = "--arch" if named is None else "--target"
    option = "--tune" if arguments.tune else "--device" if arguments.device is not None else None
    if option is not None:
        raise UsageError(f"{option} is for a device that is there, and {asked} describes one that need not be")
    if arguments.arch is not None and named is not None:
        raise UsageError("--arch and --target both say what the code is for")
    if named is None:
        return driver.gpu_target(arguments.arch, language)
    from einsum_front.driver.offline import offline_target  # noqa: PLC0415 - few commands have a target

    return offline_target(named)


def device_of(name: str) -> "Device":
    """The device of a name; where it is not there, the error says which target code can be made for instead."""
    try:
        return runtime.find_device(name)
    except CompileError as error:
        from einsum_front.driver.offline import TARGETS  # noqa: PLC0415 - for the message only

        targets = [target for target in TARGETS if target.startswith(name.casefold())]
        if not targets:
            raise
        note = f"code for a device that is not here: {', '.join(f'`--target {each}`' for each in targets)}"
        raise CompileError(replace(each, notes=(*each.notes, note)) for each in error.diagnostics) from None


def reject_device(arguments: Namespace) -> None:
    """Functions in C are made for all processors: there is no device, and none to measure on."""
    option = "--tune" if arguments.tune else "--device" if arguments.device is not None else None
    if option is not None:
        message = f"{option} is for devices of OpenCL, and target `c` has none"
        note = "its functions are made for several sets of instructions; a program takes the best when it is loaded"
        raise CompileError([Diagnostic("E0162", message, notes=(note,))])


def read_input(arguments: Namespace) -> Given:
    """Text or notation that the user gave."""
    if (arguments.file is None) == (arguments.einsum is None):
        raise UsageError("FILE or --einsum is needed, and not both")
    if arguments.einsum is not None:
        return notation_of(read_string(arguments), arguments.real or "f64"), Path()
    level = level_of(arguments)
    _reject_options_without_effect(arguments, level)
    source = _read_stdin() if str(arguments.file) == "-" else read_source(arguments.file)
    _check_output(arguments)
    return (parse(source), arguments.file.parent) if level is Level.EIN else (source, level)


def _check_output(arguments: Namespace) -> None:
    """Refuses to write over the text that is read: where it is the only copy, it would be lost."""
    file, output = arguments.file, getattr(arguments, "output", None)
    if isinstance(output, Path) and output.exists() and file.exists() and output.samefile(file):
        raise UsageError(f"-o is `{output}`, the file that is read: name another one")


def with_notation_of_opencl(arguments: Namespace) -> Namespace:
    """For a dumped `.cl` as FILE: the same as its notation as FILE, and the `.cl` as --opencl.

    Raises `CompileError` (E0112, E0114) if the text does not say its notation, or if that has changed since.
    """
    file, against = arguments.file, arguments.against
    if file is None or file.suffix != ".cl" or arguments.level is not None or arguments.opencl is not None:
        return arguments
    source = read_source(file)
    made_from = read_header(source)
    if made_from is None and against is None:
        help_ = "`--against FILE.ein` names it, or `run FILE.ein --opencl FILE.cl`"
        raise CompileError(
            [Diagnostic("E0114", f"`{file}` does not say which notation it was made from", helps=(help_,))]
        )
    notation = against
    if notation is None and made_from is not None:
        notation = made_from.file
        if digest_of(read_source(notation).text) != made_from.digest:
            notes = ("its body may be for other arguments", f"`--against {notation}` takes it as it is now")
            raise CompileError([Diagnostic("E0112", f"`{notation}` has changed since `{file}` was made", notes=notes)])
    changed = {"file": notation, "opencl": file, "against": None}
    if made_from is not None:
        changed["kernel"] = arguments.kernel or made_from.kernel
        changed["real"] = arguments.real or made_from.real
        changed["defines"] = [*(f"{name}={value}" for name, value in made_from.defines.items()), *arguments.defines]
    return Namespace(**{**vars(arguments), **changed})


def read_string(arguments: Namespace) -> IndexString:
    """Meaning of --einsum for the operands of --shape."""
    if arguments.level is not None:
        raise UsageError("--from is the level of FILE, and --einsum stands for it")
    if arguments.batch_dim is not None:
        raise UsageError("--batch-dim is for linalg, and --einsum says what is batched by its first index")
    if arguments.einsum.rstrip().endswith("-"):
        raise UsageError("a shell takes `>` for itself: put the index string in quotes, --einsum 'ik,kj->ij'")
    if not arguments.shape:
        raise UsageError("--einsum needs the shape of every operand: --shape 56,56 --shape 56,9")
    return read_einsum(arguments.einsum, [_shape(text) for text in arguments.shape])


def batch_of_string(arguments: Namespace) -> int | None:
    """The size of the index that is the batch; None without an index string, or if it has no such index."""
    if arguments.einsum is None:
        return None
    string = read_string(arguments)
    return string.shape[0] if string.kernel.has_batch_index else None


def place_of_string(arguments: Namespace) -> str | None:
    """Where `ef.einsum` computes arrays of the host, if there is a GPU to choose."""
    from einsum_front.index_string.contract import told  # noqa: PLC0415 - it asks for devices

    return told(arguments.einsum, tuple(_shape(text) for text in arguments.shape))


def _reject_options_without_effect(arguments: Namespace, level: Level) -> None:
    if arguments.shape:
        raise UsageError("--shape is for --einsum: a file says the shapes of its tensors")
    if level is not Level.MLIR and arguments.batch_dim is not None:
        raise UsageError(f"--batch-dim is for linalg: a text at the level `{level.value}` says what is batched")
    if level not in UNPLANNED and getattr(arguments, "max_temp", None) is not None:
        raise UsageError(f"--max-temp is for the plan: a text at the level `{level.value}` is planned already")
    if level is Level.TC and arguments.real:
        raise UsageError("--real is for the notation: definitions of tc say the types of their tensors")
    if level not in (Level.EIN, Level.TC) and (arguments.defines or arguments.real):
        option = "-D" if arguments.defines else "--real"
        instead = ". Sizes after `?` are given to `run`: --args n=8" if arguments.defines else ""
        message = f"{option} is for the notation: a text at the level `{level.value}` has its numbers and types"
        raise UsageError(message + instead)


def level_of(arguments: Namespace) -> Level:
    """The level that `--from` or the suffix tells; an index string is the notation."""
    if arguments.einsum is not None:
        return Level.EIN
    if arguments.level is not None:
        return Level(arguments.level)
    suffix = arguments.file.suffix.removeprefix(".")
    if suffix in NOT_READ:
        levels = ", ".join(f".{level}" for level in SUFFIXES)
        raise UsageError(f"`{arguments.file}` is {NOT_READ[suffix]}; the levels that are read are {levels}")
    if suffix not in SUFFIXES:
        levels = "|".join(level.value for level in dict.fromkeys(SUFFIXES.values()))
        near = next((f": did you mean `{file}`?" for file in _with_suffix(arguments.file) if file.is_file()), None)
        is_readable = str(arguments.file) == "-" or (arguments.file.exists() and not arguments.file.is_dir())
        if near is None and not is_readable:
            read_source(arguments.file)  # says why: the level is not what is missing
        raise UsageError(f"the level of `{arguments.file}` is not known" + (near or f": name it with --from {levels}"))
    return SUFFIXES[suffix]


def _with_suffix(file: Path) -> Iterator[Path]:
    """The file with the suffix of each level, if it has none."""
    if file.suffix == "" and file.name:
        yield from (file.with_suffix(f".{level}") for level in SUFFIXES)


def read_options(arguments: Namespace) -> Options:
    """How to translate."""
    defines = {}
    for define in arguments.defines:
        name, equals, value = define.partition("=")
        if not equals:
            raise UsageError(f"-D takes NAME=VALUE, not `{define}`")
        defines[name.strip()] = value.strip()
    max_temp = getattr(arguments, "max_temp", None)
    passes = tuple(name for name in getattr(arguments, "passes", "").split(",") if name)
    unknown = [name for name in passes if name not in PASSES]
    if unknown:
        raise UsageError(f"there is no pass `{unknown[0]}`: the passes are {', '.join(PASSES)}")
    batch_dim = arguments.batch_dim
    if batch_dim not in (None, "none") and natural(batch_dim) is None:
        raise UsageError(f"--batch-dim takes the number of a mode, from 0 on, or `none`, not `{batch_dim}`")
    return Options(defines, arguments.real, arguments.device or "auto", arguments.kernel, passes, max_temp, batch_dim)


def _read_stdin() -> Source:
    if sys.stdin is None:  # the shell has closed it
        raise CompileError([Diagnostic("E0105", "cannot read the standard input: it is closed")])
    return decoded(sys.stdin.buffer.read(LARGEST_TEXT + 1), "<stdin>", "the standard input")


def _shape(text: str) -> tuple[int, ...]:
    """The sizes of an operand; no text means that it is a number."""
    sizes = [size.strip() for size in text.split(",")] if text.strip() else []
    shape = tuple(number for size in sizes if (number := natural(size)) is not None)
    if len(shape) != len(sizes):
        instead = f": write `{text.replace('x', ',')}`" if re.fullmatch(r"\d+(x\d+)+", text) else ""
        raise UsageError(f"--shape takes sizes with commas between, not `{text}`{instead}")
    return shape
