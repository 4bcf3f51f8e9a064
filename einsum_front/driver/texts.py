"""The text of a kernel at each level."""

import json
from collections.abc import Iterable, Iterator, Sequence

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError, Diagnostic, mistake
from einsum_front.core.extent import Extent
from einsum_front.driver.session import Session
from einsum_front.driver.stages import GraphStages, LevelValue, Stages, YatetoStages
from einsum_front.driver.targets import DEFAULT, Target
from einsum_front.ir import Graph, Plan, explain, explain_as_data
from einsum_front.ir.contraction.unparse import unparse as unparse_graph
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.ir.yateto.unparse import unparse_with_origins as unparse_yateto
from einsum_front.mlir import from_graph, from_yateto
from einsum_front.mlir import nodes as mlir
from einsum_front.mlir.to_graph import NO_BATCH, graphs
from einsum_front.mlir.tpp.meaning import shape_of
from einsum_front.mlir.tpp.recognise import recognised
from einsum_front.mlir.tpp.unparse import unparse as unparse_primitives
from einsum_front.mlir.transform import Step, transformed
from einsum_front.mlir.unparse import unparse as unparse_linalg
from einsum_front.mlir.verify import check as check_linalg
from einsum_front.options import Level
from einsum_front.runtime import artifact_description
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import Scheduled, depends_on_launch, operations, schedule_text
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.pipeline import passes_of_edition, run
from einsum_front.tl_backend.unparse import unparse_with_origins

EDITIONS = tuple(edition.value for edition in tensor_language.Edition)
"""The editions that the tensor language can be printed in; without one of them every program has a text."""


def level_text(value: LevelValue, edition: str | None = None, *, tells_origins: bool = False) -> str:
    """The text of a kernel at one level; `edition` is that of the tensor language.

    Texts that can be read again have comments about origins if they are to tell them.
    """
    match value:
        case Graph():
            return unparse_graph(value)
        case Plan():
            return explain(value)
        case yateto.Function():
            return unparse_yateto(yateto.Program((value,)), tells_origins=tells_origins)[0]
        case tensor_language.Function():
            return program_text((value,), edition, tells_origins=tells_origins)
        case Scheduled():
            return schedule_text(value)
        case Artifact():
            return value.source


def artifacts_as_json(artifacts: Iterable[Artifact]) -> str:
    """OpenCL C with a description of its arguments and its launch, for programs: a list of one object a kernel."""
    return json.dumps([artifact_description(artifact) for artifact in artifacts], indent=2) + "\n"


def linalg_text(kernels: Iterable[Stages]) -> str | None:
    """Contraction graphs, as they were written, as linalg on tensors; None if a kernel begins below its graph."""
    graphs = [kernel.planned.written if isinstance(kernel, GraphStages) else None for kernel in kernels]
    known = [graph for graph in graphs if graph is not None]
    return unparse_linalg(from_graph.module_of(*known)) if len(known) == len(graphs) else None


def linalg_loops_text(kernels: Iterable[Stages], steps: Sequence[Step] = ()) -> str | None:
    """Plans as loops over linalg on memrefs, transformed by `steps`; None if a kernel begins below the YATeTo language.

    Raises `CompileError` for a step that does not fit.
    """
    functions = [kernel.yateto if isinstance(kernel, YatetoStages) else None for kernel in kernels]
    known = [function for function in functions if function is not None]
    if len(known) < len(functions):
        return None
    return unparse_linalg(transformed(from_yateto.module_of(*known), steps))


def primitives_text(kernels: Iterable[Stages]) -> str | None:
    """Plans for one element as tensor processing primitives; None if a kernel begins below the YATeTo language.

    Raises `CompileError` (E0842) for what a text of primitives cannot say: each that is written can be read again.
    """
    functions = [kernel.yateto if isinstance(kernel, YatetoStages) else None for kernel in kernels]
    known = [function for function in functions if function is not None]
    if len(known) < len(functions):
        return None
    module = recognised(from_yateto.module_of(*known, is_for_one=True))
    if refused := [each for function in module.functions for each in _unreadable(function)]:
        raise CompileError(refused)
    return unparse_primitives(module)


def _unreadable(function: mlir.Function) -> Iterator[Diagnostic]:
    """Why a function of primitives could not be read again, at the kernel."""
    module = mlir.Module((function,))
    try:
        check_linalg(module)
        graphs(module, batch=NO_BATCH)
    except CompileError as error:
        message = f"a text of primitives cannot say what `{function.name}` does"
        notes = [f"read again, {reason}" for reason in dict.fromkeys(each.message for each in error.diagnostics)]
        if any(None in shape_of(each) for each in function.arguments):
            notes.append("`-D` gives a size a number when compiling")
        notes.append("`--emit linalg-loops` writes the plan as loops over linalg")
        yield mistake("E0842", message, function.origin, notes=tuple(notes))


def suffix_of(value: LevelValue) -> str:
    """The suffix of files that have the text of a level."""
    match value:
        case Graph():
            return Level.GRAPH.value
        case Plan():
            return Level.PLAN.value
        case yateto.Function():
            return Level.YIR.value
        case tensor_language.Function():
            return Level.TL.value
        case Scheduled():
            return Level.SCHEDULE.value
        case Artifact():
            return Level.CL.value


def program_text(
    functions: tuple[tensor_language.Function, ...], edition: str | None = None, *, tells_origins: bool = False
) -> str:
    """The text of several functions of the tensor language; released compilers compute what it says, too."""
    if edition is None:
        return unparse_with_origins(tensor_language.Program(functions), tells_origins=tells_origins)[0]
    wanted = tensor_language.Edition(edition)
    said = tuple(run(function, passes_of_edition(wanted)) for function in functions)
    return unparse_with_origins(tensor_language.Program(said), wanted, tells_origins=tells_origins)[0]


def text(translation: Stages, level: Level, edition: str | None = None) -> str | None:
    """The text of one level, None if the kernel was written in a lower one."""
    value = translation.at(level)
    return None if value is None else level_text(value, edition)


def _schedule_of(kernel: ir.Planned | Stages, target: Target) -> Scheduled | None:
    """How a kernel runs on the target that it was translated for; a plan runs on any."""
    if isinstance(kernel, ir.Planned):
        return Session(target).schedule_plan(kernel)
    found = kernel.at(Level.SCHEDULE)
    return found if isinstance(found, Scheduled) else None


def schedule_if_it_fits(kernel: ir.Planned | Stages, target: Target = DEFAULT) -> str | None:
    """The text of the schedule of a kernel; None if the kernel does not fit the target."""
    try:
        found = _schedule_of(kernel, target)
        return None if found is None else schedule_text(found)
    except CompileError:
        return None


def _schedule_data(kernel: ir.Planned | Stages, target: Target) -> dict[str, object] | None:
    """The same for programs."""
    try:
        found = _schedule_of(kernel, target)
    except CompileError:
        return None
    if found is None:
        return None
    issued, plan = found.plan.issued, list(found.plan.lines())
    name, machine = str(found.tuning), found.target.machine.name
    return {"name": name, "why": found.why, "machine": machine, "issued_multiplications": issued, "plan": plan}


def explanation(kernel: ir.Planned | Stages, target: Target = DEFAULT) -> dict[str, object]:
    """Why a kernel is computed as it is, as data; one that starts below the plan has operations only."""
    match kernel:
        case ir.Planned(plan=plan) | GraphStages(planned=ir.Planned(plan=plan)):
            return {**explain_as_data(plan), "schedule": _schedule_data(kernel, target)}
        case Stages():
            counts = {"nonzero": None, "executed": operation_count(kernel)}
            unknown: dict[str, object] = {"bytes": None, "temporary_bytes": None, "steps": []}
            return {"name": kernel.name, "operations": counts, **unknown, "schedule": _schedule_data(kernel, target)}


def has_open_sizes(translation: Stages) -> bool:
    """True if loops depend on the launch, and `operation_count` is a lower bound or a polynomial."""
    return depends_on_launch(translation.tensor_language)


def operation_count(translation: Stages) -> Extent:
    """Operations that must be done for one element: without known zeros if the plan knows them."""
    if isinstance(translation, GraphStages):
        return translation.planned.plan.cost.operations
    return operations(translation.tensor_language)
