"""From what a device says of itself to what the code generator may ask of it."""

from runtime.facts import DeviceFacts
from tl_backend.opencl.target import DEFAULT, Target

__all__ = ["DEFAULT", "Target", "target_of"]

PRIVATE_MEMORY = DEFAULT.private_memory
"""No device tells how much memory a work-item may keep in arrays; a stack of this size is usual."""


def target_of(facts: DeviceFacts) -> Target:
    """The target that a device is."""
    return Target(
        name=facts.description,
        is_cpu=facts.is_cpu,
        vector_bytes=facts.vector_bytes,
        step_bytes=facts.step_bytes,
        local_memory=facts.local_memory,
        private_memory=PRIVATE_MEMORY,
        max_work_group_size=facts.max_work_group_size,
        max_parameter_bytes=facts.max_parameter_bytes,
        has_fp64=facts.has_fp64,
        has_int64_atomics=facts.has_int64_atomics,
        has_conditional_barriers=facts.driver.has_conditional_barriers,
        subgroup_sizes=facts.subgroup_sizes,
        prefetch=facts.driver.prefetch,
        has_shuffles=facts.driver.has_shuffles,
    )
