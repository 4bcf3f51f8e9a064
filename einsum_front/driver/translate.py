"""Texts at every level that can be read, taken through all levels after it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompilerBug, Source
from einsum_front.core.extent import Extent
from einsum_front.driver.chosen import choose
from einsum_front.driver.session import Session
from einsum_front.driver.stages import NotationStages, Stages
from einsum_front.elaborate import elaborate
from einsum_front.notation import syntax
from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram, Kernel
from einsum_front.notation.parse import parse
from einsum_front.options import Level, Options
from einsum_front.tl_backend import WorkGroupLimits
from einsum_front.tl_backend import pipeline as backend

PASSES = tuple(name for name, _ in backend.passes(WorkGroupLimits(is_cpu=True, max_work_group_size=1)))
"""The names of the passes over the tensor language, in their order."""


def translate_text(session: Session, source: Source, level: Level) -> tuple[Stages, ...]:
    """The kernels of a text, down to OpenCL C; raises `CompileError` with every mistake that was found."""
    match level:
        case Level.TL:
            from einsum_front.driver.from_below import functions_of  # noqa: PLC0415 - one language is read, not all

            return tuple(map(session.lower, functions_of(source, session.options)))
        case Level.TC:
            from einsum_front.driver.from_tc import graphs_of_tc  # noqa: PLC0415 - as above

            return tuple(map(session.compile_graph, graphs_of_tc(source, session.options)))
        case Level.MLIR | Level.TPP:
            from einsum_front.driver.from_mlir import from_mlir  # noqa: PLC0415 - as above

            return from_mlir(session, source, level)
        case Level.YIR:
            from einsum_front.driver.from_below import from_yateto  # noqa: PLC0415 - as above

            return from_yateto(session, source)
        case Level.EIN:
            return translate_program(session, parse(source), Path(source.name).parent)
        case Level.GRAPH | Level.PLAN | Level.SCHEDULE | Level.CL:
            raise CompilerBug(f"no text at the level `{level.value}` is translated")


def translate_program(session: Session, text: syntax.Program, directory: Path = Path()) -> tuple[NotationStages, ...]:
    """The kernels of a program in the notation; paths in it are relative to `directory`."""
    program, kernels = _checked(text, session.options, directory)
    return tuple(_from_checked(session, kernel, program) for kernel in kernels)


def plan_program(session: Session, text: syntax.Program, directory: Path = Path()) -> Iterator[ir.Planned]:
    """The plans of the kernels of a program in the notation; they need not fit a device."""
    program, kernels = _checked(text, session.options, directory)
    return (_planned(session, kernel, program) for kernel in kernels)


def check_text(text: syntax.Program, options: Options, directory: Path = Path()) -> None:
    """Raises `CompileError` if the checker has anything against a program in the notation."""
    _checked(text, options, directory)


@dataclass(frozen=True, slots=True)
class Lying:
    """How a tensor lies in memory: the strides of an element in entries, and how many modes vary faster than the batch.

    Elements behind all modes have None.
    """

    strides: tuple[Extent, ...]
    batch_after: int | None = None


def with_layouts(session: Session, stages: NotationStages, layouts: Mapping[str, Lying]) -> NotationStages:
    """A kernel of the notation once more, for tensors that lie so; the others lie as the text says."""
    program = stages.program
    tensors = (
        replace(each, strides=found.strides, batch_after=found.batch_after)
        if (found := layouts.get(each.name)) is not None
        else each
        for each in program.tensors
    )
    return _from_checked(session, stages.checked, replace(program, tensors=tuple(tensors)))


def _checked(text: syntax.Program, options: Options, directory: Path) -> tuple[CheckedProgram, tuple[Kernel, ...]]:
    """A program in the notation, and those of its kernels that are asked for."""
    program = check(text, options.defines, directory, options.real, options.kernel)
    chosen = choose([kernel.name for kernel in program.kernels], options, text.items[-1].origin)
    return program, tuple(kernel for kernel in program.kernels if kernel.name in chosen)


def _from_checked(session: Session, kernel: Kernel, program: CheckedProgram) -> NotationStages:
    made = session.lower_plan(_planned(session, kernel, program))
    return NotationStages(
        made.tensor_language, made.artifact, made.target, made.decision, made.yateto, made.planned, program, kernel
    )


def _planned(session: Session, kernel: Kernel, program: CheckedProgram) -> ir.Planned:
    return session.plan_graph(elaborate(kernel, program), (each.name for each in program.kernels))
