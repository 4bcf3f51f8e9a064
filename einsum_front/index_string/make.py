"""Ways of index strings made anew: planned and translated. It loads the compiler, which stored ways do without."""

from dataclasses import replace
from math import inf

from einsum_front import ir
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.extent import hint
from einsum_front.driver import ARCHITECTURES, DEFAULT_ARCHITECTURE, Session, dynamic_memory, gpu_target
from einsum_front.driver.choice import chooser
from einsum_front.driver.targets import target_of
from einsum_front.index_string.graph import graph_of
from einsum_front.index_string.order import path_of_terms
from einsum_front.index_string.planned import path_of, string_steps
from einsum_front.index_string.program import StringKernel, extents_of
from einsum_front.index_string.steps import Positions, StringStep, steps_of_path
from einsum_front.options import ScheduleOptions
from einsum_front.runtime import CudaKernel, Device, whole_memory
from einsum_front.runtime.artifact import Artifact

MANY_OPERATIONS = 2**24
"""As many keep one work-group busy for a millisecond or more, longer than it takes to start several kernels."""


def make_way(
    kernel: StringKernel, real: str, device: Device, schedules: ScheduleOptions, path: Positions | None
) -> Artifact | tuple[StringStep, ...]:
    """One kernel for the whole string and for every batch, or its steps.

    Steps are those of a path that the planner would not take, or of a plan without a batch where a single work-group
    would keep the device waiting.
    """
    return _way(Session(target_of(device.facts), decide=chooser(schedules, device)), kernel, real, path)


def make_cuda_way(
    kernel: StringKernel, real: str, architecture: str, schedules: ScheduleOptions, path: Positions | None
) -> CudaKernel | tuple[StringStep, ...]:
    """The same in CUDA C++, for a GPU of NVIDIA: `sm_90`; one that is not known runs code for an earlier one."""
    known = architecture if architecture in ARCHITECTURES else DEFAULT_ARCHITECTURE
    found = _way(Session(gpu_target(known, "cuda"), decide=chooser(schedules, None)), kernel, real, path)
    return CudaKernel(found, dynamic_memory(found)) if isinstance(found, Artifact) else found


def _planned(session: Session, kernel: StringKernel, real: str) -> ir.Planned:
    """The cheapest plan; where its temporaries are more than the memory of the machine, one that fits if there is."""
    graph, memory = graph_of(kernel, real), whole_memory()
    planned = session.plan_graph(graph)
    if kernel.has_batch_index or memory is None or hint(ir.peak_bytes(planned.plan.buffers)) <= memory:
        return planned
    try:
        return replace(session, options=replace(session.options, max_temp=memory)).plan_graph(graph)
    except CompileError:
        return planned  # the call says what does not fit


def _way(
    session: Session, kernel: StringKernel, real: str, path: Positions | None
) -> Artifact | tuple[StringStep, ...]:
    names = [operand.name for operand in kernel.operands]
    terms, output = [term.names for term in kernel.subscripts.operands], kernel.subscripts.output.names
    try:
        planned = _planned(session, kernel, real)
    except CompileError as error:
        if len(names) < 3 or any(each.code != "E0303" for each in error.diagnostics):
            raise
        # more indices than a plan has; products of two have fewer
        found = path_of_terms(terms, output, extents_of(kernel), inf) if path is None else path
        return steps_of_path(terms, output, names, kernel.output.name, found)
    if path is not None and path != path_of(names, ir.products_of(planned.plan)):
        return steps_of_path(terms, output, names, kernel.output.name, path)
    if not kernel.has_batch_index and (steps := string_steps(planned.plan, MANY_OPERATIONS)):
        return steps
    return session.lower_plan(planned).artifact
