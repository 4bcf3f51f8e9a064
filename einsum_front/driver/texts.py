"""The text of a kernel at each level."""

import json
from collections.abc import Iterable

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import Extent
from einsum_front.driver.session import Session
from einsum_front.driver.stages import GraphStages, LevelValue, Stages
from einsum_front.driver.targets import DEFAULT, Target
from einsum_front.ir import Graph, Plan, explain, explain_as_data
from einsum_front.ir.contraction.unparse import unparse as unparse_graph
from einsum_front.ir.yateto import nodes as yateto
from einsum_front.ir.yateto.unparse import unparse_with_origins as unparse_yateto
from einsum_front.options import Level
from einsum_front.runtime import artifact_description
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import Scheduled, depends_on_launch, operations, schedule_text
from einsum_front.tl_backend import program as tensor_language
from einsum_front.tl_backend.pipeline import passes_of_edition, run
from einsum_front.tl_backend.unparse import unparse_with_origins


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


def joined_text(translations: Iterable[Stages], level: Level, edition: str | None = None) -> str:
    """The text of a level for all kernels that have it."""
    texts = (text(translation, level, edition) for translation in translations)
    return "\n".join(each for each in texts if each is not None)


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
    issued, plan = found.plan.issued, list(found.plan.explained())
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
