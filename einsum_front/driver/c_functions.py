"""Kernels in C: for each set of instructions that a library has, a function for batches and one for few elements."""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from einsum_front import ir
from einsum_front.core.dataclass import dataclass
from einsum_front.core.instruction_sets import INSTRUCTION_SETS, InstructionSet
from einsum_front.core.machine import Machine
from einsum_front.core.machines import AVX512, SAPPHIRE_RAPIDS
from einsum_front.driver.session import NOTHING, Prefetched, Session
from einsum_front.driver.stages import Decision, Stages, scheduled
from einsum_front.runtime.artifact import Artifact
from einsum_front.tl_backend import FLAGS, HEADER, ScheduleKind, Target, Tuning, c
from einsum_front.tl_backend.emit import SharedFunction, artifact_and_names, artifact_and_routines

__all__ = [
    "FLAGS",
    "HEADER",
    "INSTRUCTION_SETS",
    "Functions",
    "InstructionSet",
    "SharedFunction",
    "c_functions",
    "c_target",
    "c_text",
    "one_element",
    "shared_functions",
]

STACK = 1024 * 1024
"""Bytes that a function may take of the stack of its thread; OpenMP's threads have 2 MiB or more."""

ANY = 2**20
"""Where C has no limit that a kernel comes near."""


@dataclass(frozen=True, slots=True)
class Functions:
    """A kernel for one set of instructions.

    `batch` runs any number of elements. Where its vectors are of several elements, `one` runs less than `few` of them,
    in one group.
    """

    instructions: InstructionSet
    batch: Artifact
    one: Artifact | None
    few: int


def c_target(instructions: InstructionSet, role: str = "", machine: Machine | None = None) -> Target:
    """What the code generator may ask of C; `role` tells apart several functions for one kernel.

    Without a `machine` it is any that has the instructions.
    """
    is_wide = instructions.vector_bytes == 64
    return Target(
        name=f"C for {instructions.name}",
        is_cpu=True,
        vector_bytes=instructions.vector_bytes,
        local_memory=STACK,
        private_memory=STACK,
        max_work_group_size=1,
        max_parameter_bytes=ANY,
        has_fp64=True,
        has_int64_atomics=True,
        has_prefetch=True,
        has_shuffles=True,
        vector_registers=instructions.vector_registers,
        holds_numbers=is_wide,
        machine=machine or (AVX512 if is_wide else SAPPHIRE_RAPIDS),
        language=c(instructions, role),
    )


def one_element(instructions: InstructionSet, machine: Machine | None = None) -> Session:
    """A compiler for kernels of which a call runs one element, and none is known to follow, on a `machine`."""
    decision = Decision(Tuning(ScheduleKind.WORK_GROUP), "one element a call")
    target = replace(c_target(instructions, machine=machine), outlines_products=True)
    return Session(target, decide=lambda _function, _target: decision, has_prologues=False)


def shared_functions(
    session: Session, planned: ir.Planned, prefetched: Prefetched = NOTHING
) -> tuple[Artifact, tuple[SharedFunction, ...]]:
    """A kernel of one element, and the functions that it calls: those of the same name are the same in all kernels."""
    return artifact_and_routines(session.schedule_plan(planned, prefetched))


def c_text(stages: Iterable[Stages]) -> str:
    """The functions of kernels in one text; each says what its own name is."""
    kernels = tuple(stages)
    sources = [HEADER]
    taken = frozenset(kernel.name for kernel in kernels)
    for kernel in kernels:
        for each, names in _functions(kernel, taken - {kernel.name}):
            sources += [artifact.source for artifact in (each.batch, each.one) if artifact is not None]
            taken |= names
    return "\n".join(sources)


def c_functions(stages: Stages) -> Iterator[Functions]:
    """The functions of a kernel; raises `CompileError` with all that C cannot do (E06xx)."""
    return (each for each, _ in _functions(stages, frozenset()))


def _functions(stages: Stages, taken: frozenset[str]) -> Iterator[tuple[Functions, frozenset[str]]]:
    """With the names that they define, none of them in `taken`."""
    for instructions in INSTRUCTION_SETS:
        run = scheduled(stages.tensor_language, c_target(instructions, "batch_"), stages.decision)
        batch, names = artifact_and_names(run, taken)
        one = None
        if run.tuning.kind is ScheduleKind.BATCH_SIMD:
            few = Decision(Tuning(ScheduleKind.WORK_GROUP), "few elements fill no vector")
            alone = scheduled(stages.tensor_language, c_target(instructions, "one_"), few)
            one, more = artifact_and_names(alone, taken)
            names |= more
        most = 1 if one is None else one.elements_per_group
        batch, one = stages.seen(batch), None if one is None else stages.seen(one)
        yield Functions(instructions, batch, one, 1 + min(most, instructions.vector_bytes // 16)), names
