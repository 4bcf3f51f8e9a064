"""What a command works on: the text that the command line names, its level, and how to translate it."""

import sys
from argparse import Namespace
from pathlib import Path

from diagnostics import CompileError, Diagnostic, Source
from einsum_front import syntax
from einsum_front.commands.usage import UsageError
from einsum_front.compiled import CompiledProgram
from einsum_front.driver import PASSES, Observer, translate, translate_program
from einsum_front.driver.targets import DEFAULT, Target, target_of
from einsum_front.einsum_string import einsum_program
from einsum_front.interface import SUFFIXES
from einsum_front.options import Level, Options
from einsum_front.parse import parse, read_source
from runtime.device import Device

Notation = tuple[syntax.Program, Path]
"""A program in the notation, and the folder that its paths start from."""

Text = tuple[Source, Level]
"""A text below the notation, and the language that it is in."""


def translated(
    given: Notation | Text, arguments: Namespace, device: Device | None, observe: Observer
) -> CompiledProgram:
    """The kernels of the input, for a device or, where none is needed, for the embedded one."""
    target, options = target_for(device), read_options(arguments)
    match given:
        case syntax.Program() as program, Path() as directory:
            return CompiledProgram(translate_program(program, target, options, observe, directory), device)
        case Source() as source, Level() as level:
            return CompiledProgram(translate(source, level, target, options, observe), device)


def target_for(device: Device | None) -> Target:
    """What code is made for: the device, or the embedded one where none is needed."""
    return DEFAULT if device is None else target_of(device.facts)


def read_input(arguments: Namespace) -> Notation | Text:
    """What the user gave."""
    if (arguments.file is None) == (arguments.einsum is None):
        raise UsageError("one of FILE and --einsum is needed")
    if arguments.einsum is not None:
        shapes = [_shape(text) for text in arguments.shape]
        return einsum_program(arguments.einsum, shapes, arguments.real or "f64"), Path()
    level = level_of(arguments)
    source = _read_stdin() if str(arguments.file) == "-" else read_source(arguments.file)
    return (parse(source), arguments.file.parent) if level is Level.EIN else (source, level)


def level_of(arguments: Namespace) -> Level:
    """The level that `--from` or the suffix tells; an index string is the notation."""
    if arguments.einsum is not None:
        return Level.EIN
    if arguments.level is not None:
        return Level(arguments.level)
    suffix = arguments.file.suffix.removeprefix(".")
    if suffix not in SUFFIXES:
        levels = "|".join(level.value for level in dict.fromkeys(SUFFIXES.values()))
        raise UsageError(f"the level of `{arguments.file}` is not known: name it with --from {levels}")
    return SUFFIXES[suffix]


def read_options(arguments: Namespace) -> Options:
    """How to translate."""
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


def _read_stdin() -> Source:
    try:
        return Source("<stdin>", sys.stdin.buffer.read().decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        message = f"the standard input is not text: byte {error.start} is not UTF-8"
        raise CompileError([Diagnostic("E0106", message)]) from None


def _shape(text: str) -> tuple[int, ...]:
    try:
        return tuple(int(size) for size in text.split(",") if size.strip())
    except ValueError:
        raise UsageError(f"--shape takes sizes with commas between, not `{text}`") from None
