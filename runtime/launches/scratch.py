"""Global memory for the temporaries of the work-groups that run at the same time."""

from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.driver_errors import driver_errors
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import cl

UNIT_ITEMS = 2048
"""Work-items that a compute unit of a GPU runs at a time."""

UNIT_GROUPS = 8
"""Work-groups of a compute unit, at most: more temporaries would only leave the cache sooner.

Stages of `columns` have so many registers that no more run at a time: with 16, `elementLocal` of order 6, in turns,
takes 1.1 times as long on an NVIDIA H200.
"""

THREAD_GROUPS = 4
"""Work-groups for each compute unit of a CPU, which runs one at a time: threads end at about the same time."""

MEMORY_PART = 8
"""All temporaries together take no more than one of so many parts of the memory."""


def resident_groups(artifact: Artifact, facts: DeviceFacts, groups: int, bytes_: int) -> int:
    """How many of so many work-groups the launch has, so that each has memory and all units have work; at least one."""
    rows, columns = artifact.work_group_size
    each = THREAD_GROUPS if facts.is_cpu else min(UNIT_GROUPS, max(1, UNIT_ITEMS // (rows * columns)))
    room = min(facts.max_allocation, facts.global_memory // MEMORY_PART) // bytes_
    return max(1, min(groups, each * facts.compute_units, room))


def scratch_memory(artifact: Artifact, place: Place, bytes_: int) -> cl.Buffer:
    """Memory for all work-groups, its contents arbitrary."""
    with driver_errors(
        "E0607", f"no memory for the temporaries of `{artifact.name}`, {bytes_} bytes, on `{place.facts.name}`"
    ):
        return cl.Buffer(place.context, cl.mem_flags.READ_WRITE, bytes_)
