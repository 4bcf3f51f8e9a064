"""The arguments of a kernel in the order of the calling convention: its own, then what a launch adds."""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyopencl as cl
from pyopencl.typing import KernelArg

from einsum_front.runtime.artifact import Artifact, GroupParameter, Parameter, ScalarParameter, TensorParameter
from einsum_front.runtime.batch import Place
from einsum_front.runtime.layout import ELEMENT_TYPES
from einsum_front.runtime.scratch import resident_groups, scratch_memory
from einsum_front.runtime.values import ScalarValue

NUMBER = np.dtype(np.int64)
"""A `long`: sizes, strides, offsets, and how many groups of the language there are."""


def argument_types(artifact: Artifact) -> tuple[np.dtype[np.generic] | None, ...]:
    """The type of each argument that is a number, None for memory: setting numbers of unknown type takes far longer."""
    types = [each for parameter in artifact.parameters for each in _types(parameter)]
    if _counts_groups(artifact):
        types.append(NUMBER)
    return (*types, None) if artifact.scratch else tuple(types)


def _types(parameter: Parameter) -> Iterator[np.dtype[np.generic] | None]:
    if isinstance(parameter, ScalarParameter):
        yield ELEMENT_TYPES[parameter.type]
        return
    run_time = (*parameter.shape, *parameter.strides).count(None)
    yield None
    match parameter:
        case TensorParameter():
            yield from [NUMBER] * run_time
        case GroupParameter():
            yield from [None] * run_time
            yield from [NUMBER] if parameter.offset is None else []


def _counts_groups(artifact: Artifact) -> bool:
    return artifact.elements_per_group > 1 or artifact.scratch > 0


def set_scalar(kernel: cl.Kernel, artifact: Artifact, value: ScalarValue) -> None:
    """Set the number of a scalar anew, if the kernel has it; runs that are queued already keep the old one."""
    position = 0
    for parameter in artifact.parameters:
        if parameter == value.parameter:
            kernel.set_arg(position, value.value)
        position += len(list(_types(parameter)))


def set_arguments(
    kernel: cl.Kernel, artifact: Artifact, given: Mapping[str, Sequence[KernelArg]], groups: int, place: Place
) -> tuple[int, cl.Buffer | None]:
    """Set the arguments for so many of the language's groups; `given` has those of each parameter by its name.

    Gives the number of work-groups, and the memory that they need besides, which must be kept until they have ended.
    """
    values = [value for parameter in artifact.parameters for value in given[parameter.name]]
    work_groups = -(-groups // artifact.elements_per_group) * artifact.groups_per_element
    if _counts_groups(artifact):
        values.append(groups)
    scratch = None
    if artifact.scratch:
        work_groups = resident_groups(artifact, place.facts, work_groups)
        values.append(scratch := scratch_memory(artifact, place, work_groups))
    kernel.set_args(*values)
    return work_groups, scratch
