"""From what a device says of itself to what the code generator may ask of it."""

from dataclasses import replace

from einsum_front.core.instruction_sets import InstructionSet
from einsum_front.core.machine import Machine
from einsum_front.core.machines import GPU, MATRICES, recognised
from einsum_front.driver.c_functions import c_target
from einsum_front.runtime import DeviceFacts, processor_instructions
from einsum_front.tl_backend import DEFAULT, Target, c

__all__ = ["DEFAULT", "Target", "own_machine", "target_of"]

PRIVATE_MEMORY = DEFAULT.private_memory
"""No device tells how much memory a work-item may keep in arrays; a stack of this size is usual."""

PRIVATE_MEMORY_OF_MANY = 16 * 1024
"""The same where work-items are many: a GPU sets it aside for each one that can run at a time. An H200 has 270,336 of
them: 4 GiB, and kernels whose work-items kept 100 KiB failed where several processes used it."""


def own_machine() -> Machine:
    """The processor that this runs on."""
    return recognised(processor_instructions())


def target_of(facts: DeviceFacts) -> Target:
    """The target that a device is."""
    if facts.instruction_set is not None:
        return _c_target_of(facts, facts.instruction_set)
    return Target(
        name=facts.description,
        is_cpu=facts.is_cpu,
        vector_bytes=facts.vector_bytes,
        native_vector_bytes=facts.native_vector_bytes,
        local_memory=facts.local_memory,
        private_memory=PRIVATE_MEMORY if facts.is_cpu else PRIVATE_MEMORY_OF_MANY,
        max_work_group_size=facts.max_work_group_size,
        max_parameter_bytes=facts.max_parameter_bytes,
        has_fp64=facts.has_fp64,
        has_int64_atomics=facts.has_int64_atomics,
        has_conditional_barriers=facts.driver.has_conditional_barriers,
        subgroup_sizes=facts.subgroup_sizes,
        has_prefetch=facts.driver.prefetch is not None,
        has_shuffles=facts.driver.has_shuffles,
        compute_units=facts.compute_units,
        matrices=MATRICES.get(facts.architecture),
        vector_registers=facts.vector_registers,
        instructions=",".join(facts.instructions) or None,
        machine=own_machine() if facts.is_cpu else GPU,
    )


def _c_target_of(facts: DeviceFacts, instructions: InstructionSet) -> Target:
    """C for this processor: a kernel is a text by itself."""
    return replace(
        c_target(instructions),
        name=facts.description,
        native_vector_bytes=facts.native_vector_bytes,
        compute_units=facts.compute_units,
        machine=own_machine(),
        language=c(instructions, has_header=True),
    )
