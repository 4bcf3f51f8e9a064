"""The arguments of a kernel in the order of the calling convention: its own, then what a launch adds."""

from collections.abc import Mapping, Sequence

import numpy as np
import pyopencl as cl
from pyopencl.typing import KernelArg

from runtime.artifact import Artifact
from runtime.batch import Place
from runtime.scratch import resident_groups, scratch_memory


def set_arguments(
    kernel: cl.Kernel, artifact: Artifact, given: Mapping[str, Sequence[KernelArg]], groups: int, place: Place
) -> tuple[int, cl.Buffer | None]:
    """Set the arguments for so many of the language's groups; `given` has those of each parameter by its name.

    Gives the number of work-groups, and the memory that they need besides, which must be kept until they have ended.
    """
    values = [value for parameter in artifact.parameters for value in given[parameter.name]]
    work_groups = -(-groups // artifact.elements_per_group) * artifact.groups_per_element
    if artifact.elements_per_group > 1 or artifact.scratch:
        values.append(np.int64(groups))
    scratch = None
    if artifact.scratch:
        work_groups = resident_groups(artifact, place.facts, work_groups)
        values.append(scratch := scratch_memory(artifact, place, work_groups))
    for position, value in enumerate(values):
        kernel.set_arg(position, value)
    return work_groups, scratch
