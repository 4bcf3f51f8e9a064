"""Texts at every level that can be read, taken through all levels after it."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError, CompilerBug, Diagnostic, Label, Origin, Source, Span
from einsum_front.core.extent import Extent
from einsum_front.core.prologues import with_prologues
from einsum_front.driver.made_from import known_sources
from einsum_front.driver.session import Session
from einsum_front.driver.stages import GraphStages, LinalgStages, NotationStages, Stages
from einsum_front.elaborate import elaborate
from einsum_front.ir.yateto.parse import parse as parse_yateto
from einsum_front.ir.yateto.verify import check as check_yateto
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.parse import parse as parse_linalg
from einsum_front.mlir.to_graph import NO_BATCH, graphs, kernel_name
from einsum_front.mlir.verify import check as check_linalg
from einsum_front.notation import syntax
from einsum_front.notation.check import check
from einsum_front.notation.checked import CheckedProgram, Kernel
from einsum_front.notation.parse import parse
from einsum_front.options import Level, Options
from einsum_front.tc import nodes as tc
from einsum_front.tc.declared import inlined, with_definitions
from einsum_front.tc.parse import parse as parse_tc
from einsum_front.tc.to_graph import graph_of as graph_of_tc
from einsum_front.tc.to_graph import sizes_of
from einsum_front.tc.verify import check as check_tc
from einsum_front.tl_backend import WorkGroupLimits
from einsum_front.tl_backend import pipeline as backend
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.parse import parse as parse_tensor_language
from einsum_front.tl_backend.verify import check as check_tensor_language

PASSES = tuple(name for name, _ in backend.passes(WorkGroupLimits(is_cpu=True, max_work_group_size=1)))
"""The names of the passes over the tensor language, in their order."""


def translate_text(session: Session, source: Source, level: Level) -> tuple[Stages, ...]:
    """The kernels of a text, down to OpenCL C; raises `CompileError` with every mistake that was found."""
    match level:
        case Level.TL:
            return tuple(map(session.lower, _functions(source, session.options)))
        case Level.TC:
            return tuple(map(session.compile_graph, graphs_of_tc(source, session.options)))
        case Level.MLIR:
            return _from_linalg(session, source, session.options.batch_dim)
        case Level.TPP:
            return _from_linalg(session, source, session.options.batch_dim or NO_BATCH)
        case Level.YIR:
            definitions = parse_yateto(source, known_sources(source))
            check_yateto(definitions)
            written = definitions.functions if session.options.kernel is None else with_prologues(definitions.functions)
            chosen = _choose([function.name for function in written], session.options, (_start(source),))
            return tuple(session.lower_yateto(function) for function in written if function.name in chosen)
        case Level.EIN:
            return translate_program(session, parse(source), Path(source.name).parent)
        case Level.GRAPH | Level.PLAN | Level.SCHEDULE | Level.CL:
            raise CompilerBug(f"no text at the level `{level.value}` is translated")


def _from_linalg(session: Session, source: Source, batch: str | None) -> tuple[Stages, ...]:
    """The kernels of a text of linalg or TPP: one for each function that has a body."""
    written, directory = parse_linalg(source), Path(source.name).parent
    check_linalg(with_definitions(written, directory))
    module = inlined(written, directory)
    names = [kernel_name(function) for function in module.functions if function.body is not None]
    chosen = _choose(names, session.options, (_start(source),))
    functions = [each for each in module.functions if each.body is not None and kernel_name(each) in chosen]
    return tuple(
        _from_function(session.compile_graph(graph), module, function)
        for function in functions
        for graph in graphs(module, kernel_name(function), batch)
    )


def _from_function(made: GraphStages, module: mlir.Module, function: mlir.Function) -> LinalgStages:
    below = made.tensor_language, made.artifact, made.target, made.decision, made.yateto, made.planned
    return LinalgStages(*below, module, function)


def translate_program(session: Session, text: syntax.Program, directory: Path = Path()) -> tuple[NotationStages, ...]:
    """The kernels of a program in the notation; paths in it are relative to `directory`."""
    program, kernels = _checked(text, session.options, directory)
    return tuple(_from_checked(session, kernel, program) for kernel in kernels)


def plan_program(session: Session, text: syntax.Program, directory: Path = Path()) -> Iterator[ir.Planned]:
    """The plans of the kernels of a program in the notation; they need not fit a device."""
    program, kernels = _checked(text, session.options, directory)
    return (_planned(session, kernel, program) for kernel in kernels)


def definitions_of(source: Source) -> tc.Program:
    """The definitions of a text in tc, checked: they need no sizes."""
    program = parse_tc(source)
    check_tc(program)
    return program


def graphs_of_tc(source: Source, options: Options) -> tuple[ir.Graph, ...]:
    """The definitions of a text in tc as kernels; `-D` gives sizes that are known when compiling."""
    program = definitions_of(source)
    sizes = sizes_of(program, options.defines)
    chosen = _choose([each.name for each in program.definitions], options, (_start(source),))
    return tuple(graph_of_tc(each, sizes) for each in program.definitions if each.name in chosen)


def transform(session: Session, source: Source) -> tuple[tensor_language.Function, ...]:
    """The functions of a text in the tensor language behind the passes that are asked for; it need not fit a device."""
    return tuple(map(session.transform, _functions(source, session.options)))


def check_text(text: syntax.Program, options: Options, directory: Path = Path()) -> None:
    """Raises `CompileError` if the checker has anything against a program in the notation."""
    _checked(text, options, directory)


def with_strides(session: Session, stages: NotationStages, strides: Mapping[str, tuple[Extent, ...]]) -> NotationStages:
    """A kernel of the notation once more, for these strides of the tensors that are named, in elements."""
    program = stages.program
    tensors = (replace(tensor, strides=strides.get(tensor.name, tensor.strides)) for tensor in program.tensors)
    return _from_checked(session, stages.checked, replace(program, tensors=tuple(tensors)))


def _functions(source: Source, options: Options) -> tuple[tensor_language.Function, ...]:
    program = parse_tensor_language(source, known_sources(source))
    check_tensor_language(program)
    functions = program.functions if options.kernel is None else with_prologues(program.functions)
    chosen = _choose([function.name for function in functions], options, (_start(source),))
    return tuple(function for function in functions if function.name in chosen)


def _checked(text: syntax.Program, options: Options, directory: Path) -> tuple[CheckedProgram, tuple[Kernel, ...]]:
    """A program in the notation, and those of its kernels that are asked for."""
    program = check(text, options.defines, directory, options.real, options.kernel)
    chosen = _choose([kernel.name for kernel in program.kernels], options, text.items[-1].origin)
    return program, tuple(kernel for kernel in program.kernels if kernel.name in chosen)


def _from_checked(session: Session, kernel: Kernel, program: CheckedProgram) -> NotationStages:
    made = session.lower_plan(_planned(session, kernel, program))
    return NotationStages(
        made.tensor_language, made.artifact, made.target, made.decision, made.yateto, made.planned, program, kernel
    )


def _planned(session: Session, kernel: Kernel, program: CheckedProgram) -> ir.Planned:
    return session.plan_graph(elaborate(kernel, program), (each.name for each in program.kernels))


def _choose(names: list[str], options: Options, place: Origin) -> frozenset[str]:
    """The kernels that are asked for: one by its name, or a family by its stem. `place` is shown if there are none."""
    if not names:
        labels = tuple(Label(span, "no kernel up to the end of the text") for span in place[:1])
        raise CompileError([Diagnostic("E0229", "the text has nothing to compile", labels)])
    if options.kernel is None:
        return frozenset(names)
    chosen = frozenset(n for n in names if n == options.kernel or _is_member(n, options.kernel))
    if not chosen:
        raise CompileError([_no_such_kernel(options.kernel, names)])
    return chosen


def _start(source: Source) -> Span:
    return Span(source, 0, 0)


def _is_member(name: str, family: str) -> bool:
    tail = name.removeprefix(f"{family}_")
    return tail != name and all(part.isdigit() for part in tail.split("_"))


def _no_such_kernel(name: str, names: list[str]) -> Diagnostic:
    listed = ", ".join(f"`{each}`" for each in names)
    return Diagnostic("E0221", f"there is no kernel `{name}`", notes=(f"the text has {listed}",))
