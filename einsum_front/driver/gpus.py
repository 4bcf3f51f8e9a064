"""GPUs that need not be there: what the code generator has to know of an architecture, which compilers name so."""

import re
from collections.abc import Iterable
from dataclasses import replace

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.machines import GPU, MATRICES
from einsum_front.driver.session import NOTHING, Prefetched, Session
from einsum_front.driver.stages import Decision, GraphStages
from einsum_front.driver.targets import PRIVATE_MEMORY_OF_MANY
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import (
    CUDA,
    DECLARED_SHARED_MEMORY,
    DEFAULT,
    OPENCL_C,
    SYCL,
    ScheduleKind,
    Target,
    Tuning,
    with_open_offsets,
    with_prefetched,
)

KIBIBYTE = 1024


@dataclass(frozen=True, slots=True)
class _Gpu:
    """KiB of shared memory that a block may have if its launch asks for it, and multiprocessors of a large one."""

    shared_memory: int
    units: int
    subgroup_size: int = 32


_GPUS = {
    "sm_75": _Gpu(64, 72),
    "sm_80": _Gpu(163, 108),
    "sm_86": _Gpu(99, 84),
    "sm_87": _Gpu(163, 16),
    "sm_89": _Gpu(99, 142),
    "sm_90": _Gpu(227, 132),
    "sm_100": _Gpu(227, 148),
    "sm_103": _Gpu(227, 148),
    "sm_120": _Gpu(99, 170),
    "gfx906": _Gpu(64, 60, 64),
    "gfx908": _Gpu(64, 120, 64),
    "gfx90a": _Gpu(64, 110, 64),
    "gfx942": _Gpu(64, 304, 64),
    "gfx950": _Gpu(160, 256, 64),
    "gfx1030": _Gpu(64, 40),
    "gfx1100": _Gpu(64, 48),
    "gfx1201": _Gpu(64, 32),
}
"""CUDA C++ Programming Guide 13.0, "Compute Capabilities"; the data sheets of AMD's GPUs."""

ARCHITECTURES = tuple(_GPUS)

DEFAULT_ARCHITECTURE = "sm_80"
"""Where none is said: code for it runs on all later ones of NVIDIA."""

LANGUAGES = {"opencl": OPENCL_C, "cuda": CUDA, "hip": CUDA, "sycl": SYCL}

ALONE = Tuning(ScheduleKind.WORK_GROUP, work_group=(32, 1))
"""A work-group that no element shares with others."""


def gpu_target(architecture: str, language: str) -> Target:
    """The target that a GPU of this architecture is; `language` is one of `LANGUAGES`.

    Raises `CompileError` (E0165) for an unknown name. `sm_90a` and `sm_90f` are `sm_90` with instructions that kernels
    do not use.
    """
    plain = re.sub(r"(sm_\d+)[af]", r"\1", architecture)
    gpu = _GPUS.get(plain)
    if gpu is None:
        message = f"there is no GPU architecture `{architecture}` here"
        raise CompileError([Diagnostic("E0165", message, notes=(f"there are {', '.join(ARCHITECTURES)}",))])
    text = LANGUAGES[language]
    return replace(
        DEFAULT,
        name=f"a GPU of {architecture}",
        is_cpu=False,
        vector_bytes=8,
        local_memory=DECLARED_SHARED_MEMORY,  # more for each block means fewer blocks at a time
        most_local_memory=gpu.shared_memory * KIBIBYTE if text is CUDA else None,
        private_memory=PRIVATE_MEMORY_OF_MANY,
        max_work_group_size=1024,
        max_parameter_bytes=4 * KIBIBYTE,
        has_conditional_barriers=True,
        subgroup_sizes=(gpu.subgroup_size,),
        has_prefetch=False,
        compute_units=gpu.units,
        matrices=None if text is SYCL else MATRICES.get(plain),
        machine=GPU,
        language=text,
    )


def dynamic_memory(artifact: Artifact) -> int:
    """The bytes of shared memory that a launch has to add, since a kernel of CUDA cannot declare so much."""
    return artifact.local_memory if artifact.local_memory > DECLARED_SHARED_MEMORY else 0


def gpu_text(artifacts: Iterable[Artifact], language: str) -> str:
    """The text of all kernels; several have namespaces of their own, since each brings what it needs."""
    kernels, header = tuple(artifacts), LANGUAGES[language].header
    if len(kernels) == 1:
        return "\n".join(filter(None, (header, kernels[0].source)))
    spaces = [(f"of_{each.entry}", each.source) for each in kernels]
    own = (f"namespace {name} {{\n{source}}} // namespace {name}\n" for name, source in spaces)
    return "\n".join(filter(None, (header, *own)))


def compile_alone(session: Session, graph: ir.Graph) -> GraphStages:
    """A kernel of one element for each work-group, where members of groups begin behind offsets of the launch."""
    return lower_alone(session, session.plan_graph(graph))


def lower_alone(session: Session, planned: ir.Planned, prefetched: Prefetched = NOTHING) -> GraphStages:
    """The same of a graph that is planned."""
    plan = ir.emit_yateto(planned.plan)
    function = with_prefetched(with_open_offsets(ir.lower_yateto(plan)), prefetched)
    stages = session.lower(function)
    if stages.artifact.elements_per_group != 1:
        stages = replace(session, decide=lambda _function, _target: Decision(ALONE)).lower(function)
    return GraphStages(stages.tensor_language, stages.artifact, stages.target, stages.decision, plan, planned)
