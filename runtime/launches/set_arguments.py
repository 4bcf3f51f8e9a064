"""Arguments of an OpenCL kernel in the order of its `signature`, with memory for the temporaries of work-groups.

The prologue of a launch, constants that are computed once for all elements, is set the same way, into memory of the
launch.
"""

from collections.abc import Mapping, Sequence

from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, declared_layout, expected_shape
from einsum_front.runtime.arrays.signature import arguments_of, counts_elements
from einsum_front.runtime.arrays.storage import ScalarValue, aligned_bytes
from einsum_front.runtime.artifact import Artifact, TensorParameter
from einsum_front.runtime.devices.facts import DeviceFacts
from einsum_front.runtime.devices.opencl import KernelArg, cl, driver_errors
from einsum_front.runtime.launches.build import KernelObjects

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


def set_scalar(kernels: KernelObjects, artifact: Artifact, value: ScalarValue) -> None:
    """Set the number of a scalar anew, if the kernel has it; runs that are queued already keep the old one."""
    position = 0
    for parameter in artifact.parameters:
        if parameter.name == value.parameter.name:
            kernels.set_arg(position, value.value)
        position += len(list(arguments_of(parameter)))


def argument_values(
    artifact: Artifact,
    given: Mapping[str, Sequence[KernelArg]],
    groups: int,
    place: Place,
    sizes: Mapping[str, int],
) -> tuple[Sequence[KernelArg], int, cl.Buffer | None]:
    """The arguments of a function for so many of the language's groups.

    `given` has those of each parameter by its name, `sizes` the values of sizes. Gives the number of work-groups, too,
    and the memory that they need besides, which must be kept until they have ended.
    """
    values = [value for parameter in artifact.parameters for value in given[parameter.name]]
    work_groups = -(-groups // artifact.elements_per_group) * artifact.groups_per_element
    if counts_elements(artifact):
        values.append(groups)
    scratch = None
    if artifact.scratch:
        each = max(1, artifact.scratch_of(sizes))
        work_groups = resident_groups(artifact, place.facts, work_groups, each)
        values.append(scratch := scratch_memory(artifact, place, work_groups * each))
    return values, work_groups, scratch


def set_arguments(
    kernels: KernelObjects,
    artifact: Artifact,
    given: Mapping[str, Sequence[KernelArg]],
    groups: int,
    place: Place,
    sizes: Mapping[str, int],
) -> tuple[int, cl.Buffer | None]:
    """Set the `argument_values` of all functions; gives the number of work-groups and their memory."""
    values, work_groups, scratch = argument_values(artifact, given, groups, place, sizes)
    kernels.set_args(*values)
    return work_groups, scratch


class Prologue:
    """The prologue of one launch with its arguments set.

    `given` are the OpenCL arguments of the kernel's own arguments by name; `memory` has those of what it computes.
    """

    def __init__(
        self, artifact: Artifact, kernels: KernelObjects, given: Mapping[str, Sequence[KernelArg]], place: Place
    ) -> None:
        self._artifact = artifact
        self._kernels = kernels
        self.memory = {
            parameter.name: (_zeros(parameter, place),)
            for parameter in artifact.parameters
            if isinstance(parameter, TensorParameter) and parameter.is_written
        }
        self._groups, self._scratch = set_arguments(kernels, artifact, {**given, **self.memory}, 1, place, {})

    def set(self, value: ScalarValue) -> None:
        """Another number for a scalar, from the next run on."""
        set_scalar(self._kernels, self._artifact, value)

    def run(self, queue: cl.CommandQueue, after: Sequence[cl.Event]) -> cl.Event:
        """Start it, when what came before is done with the memory."""
        return self._kernels.enqueue(queue, self._artifact.work_group_size, self._groups, after)[-1]


def _zeros(parameter: TensorParameter, place: Place) -> cl.Buffer:
    """Memory for a tensor. It is zero where the prologue leaves it: vectors are loaded across declared zeros."""
    layout = declared_layout(parameter, tuple(size or 0 for size in expected_shape(parameter)))
    memory = aligned_bytes(layout.span * ELEMENT_TYPES[parameter.type].itemsize)
    memory[...] = 0
    flags = cl.mem_flags.READ_WRITE | cl.mem_flags.COPY_HOST_PTR
    with driver_errors("E0607", f"no memory for `{parameter.name}` on `{place.facts.name}`"):
        return cl.Buffer(place.context, flags, hostbuf=memory)
