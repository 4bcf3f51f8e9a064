"""The arguments of a kernel in the order of the calling convention: its own, then what a launch adds."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyopencl as cl
from pyopencl.typing import KernelArg

from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.batch import Place
from einsum_front.runtime.layout import ELEMENT_TYPES
from einsum_front.runtime.scratch import resident_groups, scratch_memory
from einsum_front.runtime.signature import NUMBERS, arguments_of, counts_elements, kernel_arguments
from einsum_front.runtime.values import ScalarValue


def argument_types(artifact: Artifact) -> tuple[np.dtype[np.generic] | None, ...]:
    """The type of each argument that is a number, None for memory: setting numbers of unknown type takes far longer."""
    return tuple(ELEMENT_TYPES[each.type] if each.kind in NUMBERS else None for each in kernel_arguments(artifact))


def set_scalar(kernel: cl.Kernel, artifact: Artifact, value: ScalarValue) -> None:
    """Set the number of a scalar anew, if the kernel has it; runs that are queued already keep the old one."""
    position = 0
    for parameter in artifact.parameters:
        if parameter == value.parameter:
            kernel.set_arg(position, value.value)
        position += len(list(arguments_of(parameter)))


def set_arguments(
    kernel: cl.Kernel, artifact: Artifact, given: Mapping[str, Sequence[KernelArg]], groups: int, place: Place
) -> tuple[int, cl.Buffer | None]:
    """Set the arguments for so many of the language's groups; `given` has those of each parameter by its name.

    Gives the number of work-groups, and the memory that they need besides, which must be kept until they have ended.
    """
    values = [value for parameter in artifact.parameters for value in given[parameter.name]]
    work_groups = -(-groups // artifact.elements_per_group) * artifact.groups_per_element
    if counts_elements(artifact):
        values.append(groups)
    scratch = None
    if artifact.scratch:
        work_groups = resident_groups(artifact, place.facts, work_groups)
        values.append(scratch := scratch_memory(artifact, place, work_groups))
    kernel.set_args(*values)
    return work_groups, scratch
