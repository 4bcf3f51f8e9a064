"""The command `yateto`: a script for YATeTo, unchanged, and what to do with the kernels that it generates."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from rich.progress import track
from rich.status import Status
from rich.table import Table

from einsum_front.colours import coloured
from einsum_front.commands.input import target_for
from einsum_front.commands.output import Output
from einsum_front.commands.run import DIFFERENCE_FOUND, report
from einsum_front.commands.tables import print_tables
from einsum_front.commands.usage import UsageError
from einsum_front.compiled import CompiledKernel, CompiledProgram
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import static
from einsum_front.core.texts import read_source
from einsum_front.core.words import counted
from einsum_front.driver import Observer, Session, Stages, plan_program, translate_program
from einsum_front.driver.made_from import source_of
from einsum_front.driver.verification import Tell
from einsum_front.inspector import page_of
from einsum_front.notation import syntax
from einsum_front.notation.parse import parse_file
from einsum_front.options import Level, Options
from einsum_front.runtime import Device, find_device
from einsum_front.yateto.run import ScriptError, run_script
from einsum_front.yateto.session import Generated, GeneratedKernel

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
        _inspect(chosen, arguments.inspect)
    elif arguments.explain:
        _explain(chosen)
    elif arguments.compile or arguments.verify:
        return _compile(chosen, arguments)
    else:
        _list(chosen)
    return 0


Chosen = list[tuple[Generated, list[GeneratedKernel]]]


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
    output = Output()
    for program, kernels in chosen:
        output.print(f"{program.namespace}: {counted(len(kernels), 'kernel')} in {program.path}")
        table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
        for head in ("kernel", "in the program", "target"):
            table.add_column(head, overflow="fold")
        table.add_column("statements", justify="right")
        for kernel in kernels:
            table.add_row(kernel.name, kernel.called, kernel.target, str(kernel.statements))
        output.print(table, soft_wrap=False)


def _print_level(chosen: Chosen, level: Level) -> None:
    """The text of one level; that of the notation is the whole program."""
    programs = [each for each in chosen if each[1]] if level is not Level.EIN else [_only(chosen)]
    for program, kernels in programs:
        if level is Level.EIN:
            text = program.path.read_text(encoding="utf-8")
        else:
            text = CompiledProgram(tuple(k.translation for k in _translated(program, kernels, None))).text(level)
        sys.stdout.write(coloured(text, level.value, sys.stdout))


def _inspect(chosen: Chosen, file: Path) -> None:
    """The page of the kernels of one program."""
    program, kernels = _only(chosen)
    text = parse_file(program.path)
    shown = track(kernels, description="inspecting", console=Console(stderr=True), transient=True)

    def translate(observe: Observer) -> tuple[Stages, ...]:
        sessions = ((Session(target_for(None), Options(kernel=kernel.called), observe), kernel) for kernel in shown)
        found = (each for session, _ in sessions for each in translate_program(session, text, program.path.parent))
        return tuple(found)

    source = source_of(text) or read_source(program.path)
    made = page_of(program.namespace, translate, (source, Level.EIN)).save(file)
    Output().print(f"{made}: {counted(len(kernels), 'kernel')}, {made.stat().st_size / 1024:.0f} KiB")


def _only(chosen: Chosen) -> tuple[Generated, list[GeneratedKernel]]:
    """The one program that has kernels."""
    programs = [each for each in chosen if each[1]]
    if len(programs) > 1:
        names = ", ".join(program.namespace for program, _ in programs)
        raise UsageError(f"the script generates several programs: choose one with --namespace among {names}")
    return programs[0]


def _explain(chosen: Chosen) -> None:
    for program, kernels in chosen:
        text = parse_file(program.path)
        for kernel in kernels:
            session = Session(target_for(None), Options(kernel=kernel.called))
            plans = plan_program(session, text, program.path.parent)
            print_tables([planned for planned in plans if planned.plan.name == kernel.called])
            Output().print()


def _compile(chosen: Chosen, arguments: Namespace) -> int:
    """Compiles each kernel alone, and compares its levels if that is asked for; says how many are as they should be."""
    output, device = Output(), find_device(arguments.device) if arguments.verify else None
    refused = differing = done = 0
    for program, kernels in chosen:
        text = parse_file(program.path)
        for number, kernel in enumerate(kernels, 1):
            what = f"kernel {number} of {len(kernels)}, {kernel.name}"
            try:
                with Console(stderr=True).status(escape(what)) as status:  # on a terminal only
                    compiled = _kernel(text, program, kernel, device)
                    tell = _telling(status, what)
                    found = compiled.verify(arguments.seed, tell=tell) if arguments.verify else ()
                output.print(f"{kernel.name}: {counted(static(compiled.operations), 'operation')} an element")
                agrees = report(output, found)
            except CompileError as error:
                sys.stderr.write(f"{kernel.name}: {error}\n")
                refused += 1
                continue
            done += agrees
            differing += not agrees
    ending = ("agrees" if done == 1 else "agree") + " at all levels" if arguments.verify else "compiled"
    others = [f"{number} {what}" for number, what in ((differing, "differ"), (refused, "are refused")) if number]
    output.print(", ".join([f"{counted(done, 'kernel')} {ending}", *others]))
    return DIFFERENCE_FOUND if differing else INPUT_HAS_ERRORS if refused else 0


def _telling(status: Status, what: str) -> Tell:
    return lambda level: status.update(escape(f"{what}: {level}"))


def _translated(program: Generated, kernels: list[GeneratedKernel], device: Device | None) -> Iterator[CompiledKernel]:
    text = parse_file(program.path)
    return (_kernel(text, program, kernel, device) for kernel in kernels)


def _kernel(text: syntax.Program, program: Generated, kernel: GeneratedKernel, device: Device | None) -> CompiledKernel:
    session = Session(target_for(device), Options(kernel=kernel.called))
    translations = translate_program(session, text, program.path.parent)
    return CompiledKernel(next(each for each in translations if each.name == kernel.called), device)
