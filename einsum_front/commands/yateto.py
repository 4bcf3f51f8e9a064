"""The command `yateto`: a script for YATeTo, unchanged, and what to do with the kernels that it generates."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING

from einsum_front.colours import coloured
from einsum_front.commands.usage import UsageError
from einsum_front.core.words import counted
from einsum_front.options import Level
from einsum_front.yateto.run import ScriptError, run_script
from einsum_front.yateto.session import Chosen, Generated, GeneratedKernel

if TYPE_CHECKING:
    from einsum_front.driver import Stages

INPUT_HAS_ERRORS = 1

OWN_OPTIONS = ("--emit", "--explain", "--compile", "--verify", "--inspect", "--kernel", "--namespace", "--values")
"""Options that are easily written behind the script, which takes them for its own."""


def yateto(arguments: Namespace) -> int:
    """Run the script, then list, print, explain, compile or verify what it generates."""
    try:
        run = run_script(arguments.script, arguments.arguments, promises_values=arguments.values)
    except ScriptError as error:
        sys.stderr.write(f"{error}\n")
        given = [each for each in arguments.arguments if each in OWN_OPTIONS]
        if given:
            sys.stderr.write(f"`{given[0]}` was given to the script: options of ours stand in front of SCRIPT\n")
        return INPUT_HAS_ERRORS
    programs = [each for each in run.generated if arguments.namespace in (None, each.namespace)]
    chosen = [(each, _chosen(each, arguments.kernel)) for each in programs]
    if not any(kernels for _, kernels in chosen):
        raise UsageError(_nothing(run.generated, arguments))
    if arguments.emit is not None:
        _print_level(chosen, Level(arguments.emit))
    elif arguments.inspect is not None:
        from einsum_front.commands.generated import inspect  # noqa: PLC0415 - a list of kernels needs nothing of it

        inspect(*_only(chosen), arguments.inspect)
    elif arguments.explain:
        from einsum_front.commands.generated import explain  # noqa: PLC0415 - as above

        explain(chosen)
    elif arguments.compile or arguments.verify:
        from einsum_front.commands.generated import compile_  # noqa: PLC0415 - as above

        return compile_(chosen, arguments)
    else:
        _list(chosen)
    return 0


def _chosen(program: Generated, wanted: str | None) -> list[GeneratedKernel]:
    """The kernels that `--kernel` names, as C++ or the program calls them: one, or a family by its stem."""
    return [kernel for kernel in program.kernels if wanted is None or wanted in _names(kernel)]


def _names(kernel: GeneratedKernel) -> tuple[str, ...]:
    stem, _, number = kernel.called.rpartition("_")
    family = (stem,) if number.isdigit() and kernel.name.endswith(")") else ()
    return (kernel.name, kernel.called, kernel.name.partition("(")[0], *family)


def _nothing(programs: list[Generated], arguments: Namespace) -> str:
    if not programs:
        return f"`{arguments.script}` generates no kernels: it does not call `Generator.generate`"
    if arguments.kernel is None:
        return f"there is no namespace `{arguments.namespace}`: there are {', '.join(p.namespace for p in programs)}"
    return f"there is no kernel `{arguments.kernel}`: `einsum-front yateto {arguments.script}` lists them"


def _list(chosen: Chosen) -> None:
    """The kernels of each program, and where the program is."""
    for program, kernels in chosen:
        rows = [("kernel", "in the program", "target", "statements")]
        rows += [(each.name, each.called, each.target, str(each.statements)) for each in kernels]
        *widths, last = (max(map(len, column)) for column in zip(*rows, strict=True))
        sys.stdout.write(f"{program.namespace}: {counted(len(kernels), 'kernel')} in {program.path}\n")
        for *words, number in rows:
            padded = (word.ljust(width) for word, width in zip(words, widths, strict=True))
            sys.stdout.write(f"{'  '.join(padded)}  {number.rjust(last)}\n")


def _print_level(chosen: Chosen, level: Level) -> None:
    """The text of one level; that of the notation is the whole program."""
    from einsum_front.driver.texts import joined_text  # noqa: PLC0415 - a list of kernels needs nothing of it

    programs = [each for each in chosen if each[1]] if level is not Level.EIN else [_only(chosen)]
    for program, kernels in programs:
        if level is Level.EIN:
            text = program.path.read_text(encoding="utf-8")
        else:
            text = joined_text(_translated(program, kernels), level)
        sys.stdout.write(coloured(text, level.value, sys.stdout))


def _only(chosen: Chosen) -> tuple[Generated, list[GeneratedKernel]]:
    """The one program that has kernels."""
    programs = [each for each in chosen if each[1]]
    if len(programs) > 1:
        names = ", ".join(program.namespace for program, _ in programs)
        raise UsageError(f"the script generates several programs: choose one with --namespace among {names}")
    return programs[0]


def _translated(program: Generated, kernels: list[GeneratedKernel]) -> "Iterator[Stages]":
    from einsum_front.commands.input import kernel_of  # noqa: PLC0415 - as above
    from einsum_front.notation.parse import parse_file  # noqa: PLC0415 - as above

    text = parse_file(program.path)
    return (kernel_of(text, program.path.parent, kernel.called) for kernel in kernels)
