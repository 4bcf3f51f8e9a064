"""What becomes of the kernels that a script for YATeTo generated: texts, a page, explanations, comparisons."""

import sys
from argparse import Namespace
from pathlib import Path

from einsum_front.commands.input import kernel_of, target_for
from einsum_front.commands.run import DIFFERENCE_FOUND, report
from einsum_front.commands.tables import print_tables
from einsum_front.compiled import CompiledKernel
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import static
from einsum_front.core.terminal import Sign, say, sign_of_life
from einsum_front.core.texts import read_source
from einsum_front.core.words import counted
from einsum_front.driver import Observer, Session, Stages, plan_program, translate_program
from einsum_front.driver.made_from import source_of
from einsum_front.driver.verification import Tell
from einsum_front.inspector import page_of
from einsum_front.notation.parse import parse_file
from einsum_front.options import Level, Options
from einsum_front.runtime import find_device
from einsum_front.yateto.session import Chosen, Generated, GeneratedKernel

INPUT_HAS_ERRORS = 1


def inspect(program: Generated, kernels: list[GeneratedKernel], file: Path) -> None:
    """The page of the kernels of one program."""
    text = parse_file(program.path)

    def translate(observe: Observer) -> tuple[Stages, ...]:
        found: list[Stages] = []
        with sign_of_life() as sign:
            for number, kernel in enumerate(kernels, 1):
                sign.show(f"inspecting kernel {number} of {len(kernels)}, {kernel.name}")
                session = Session(target_for(None), Options(kernel=kernel.called), observe)
                found += translate_program(session, text, program.path.parent)
        return tuple(found)

    source = source_of(text) or read_source(program.path)
    made = page_of(program.namespace, translate, (source, Level.EIN)).save(file)
    say(f"{made}: {counted(len(kernels), 'kernel')}, {made.stat().st_size / 1024:.0f} KiB")


def explain(chosen: Chosen) -> None:
    """Orders, operations, bytes and temporaries of each kernel."""
    for program, kernels in chosen:
        text = parse_file(program.path)
        for kernel in kernels:
            session = Session(target_for(None), Options(kernel=kernel.called))
            plans = plan_program(session, text, program.path.parent)
            print_tables([planned for planned in plans if planned.plan.name == kernel.called])
            say()


def compile_(chosen: Chosen, arguments: Namespace) -> int:
    """Compiles each kernel alone, and compares its levels if that is asked for; says how many are as they should be."""
    device = find_device(arguments.device) if arguments.verify else None
    refused = differing = done = 0
    for program, kernels in chosen:
        text = parse_file(program.path)
        for number, kernel in enumerate(kernels, 1):
            what = f"kernel {number} of {len(kernels)}, {kernel.name}"
            try:
                with sign_of_life(what) as sign:
                    compiled = CompiledKernel(kernel_of(text, program.path.parent, kernel.called, device), device)
                    tell = _telling(sign, what)
                    found = compiled.verify(arguments.seed, tell=tell) if arguments.verify else ()
                say(f"{kernel.name}: {counted(static(compiled.operations), 'operation')} an element")
                agrees = report(found)
            except CompileError as error:
                sys.stderr.write(f"{kernel.name}: {error}\n")
                refused += 1
                continue
            done += agrees
            differing += not agrees
    ending = ("agrees" if done == 1 else "agree") + " at all levels" if arguments.verify else "compiled"
    others = [f"{number} {what}" for number, what in ((differing, "differ"), (refused, "are refused")) if number]
    say(", ".join([f"{counted(done, 'kernel')} {ending}", *others]))
    return DIFFERENCE_FOUND if differing else INPUT_HAS_ERRORS if refused else 0


def _telling(sign: Sign, what: str) -> Tell:
    return lambda level: sign.show(f"{what}: {level}")
