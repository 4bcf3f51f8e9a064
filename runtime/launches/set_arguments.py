"""Setting the arguments of an OpenCL kernel, in the order of its `signature`."""

from collections.abc import Mapping, Sequence

from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.signature import arguments_of, counts_elements
from einsum_front.runtime.arrays.values import ScalarValue
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.opencl import KernelArg, cl
from einsum_front.runtime.launches.kernel_objects import KernelObjects
from einsum_front.runtime.launches.scratch import resident_groups, scratch_memory


def set_scalar(kernels: KernelObjects, artifact: Artifact, value: ScalarValue) -> None:
    """Set the number of a scalar anew, if the kernel has it; runs that are queued already keep the old one."""
    position = 0
    for parameter in artifact.parameters:
        if parameter == value.parameter:
            kernels.set_arg(position, value.value)
        position += len(list(arguments_of(parameter)))


def set_arguments(
    kernels: KernelObjects,
    artifact: Artifact,
    given: Mapping[str, Sequence[KernelArg]],
    groups: int,
    place: Place,
    sizes: Mapping[str, int],
) -> tuple[int, cl.Buffer | None]:
    """Set the arguments of all functions for so many of the language's groups.

    `given` has those of each parameter by its name, `sizes` the values of sizes. Gives the number of work-groups, and
    the memory that they need besides, which must be kept until they have ended.
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
    kernels.set_args(*values)
    return work_groups, scratch
