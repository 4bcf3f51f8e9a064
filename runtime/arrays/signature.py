"""The arguments of an OpenCL kernel, left to right: what each of them is.

The kernel's own parameters come first, each with the numbers that its type leaves to the launch; then what the launch
adds. Hosts that are not this runtime (a C program, a loader of the JSON description) set the same list.
"""

from collections.abc import Iterator
from enum import Enum

import numpy as np

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES
from einsum_front.runtime.artifact import (
    Artifact,
    GroupParameter,
    Parameter,
    ScalarParameter,
    TensorParameter,
)


class Kind(Enum):
    """Kind of an argument: a number of a type, or memory."""

    SCALAR = "scalar"
    """The number of a scalar parameter."""
    MEMORY = "memory"
    """The entries of a tensor."""
    SIZE = "size"
    """The size of a mode of a tensor, a `long`; that of the batch mode is the number of elements."""
    STRIDE = "stride"
    """The stride of a mode of a tensor in entries, a `long`."""
    ADDRESSES = "addresses"
    """Memory: the addresses of the members of a group, a `ulong` each."""
    SIZES = "sizes"
    """Memory: the size of a mode of each member of a group, a `long` each."""
    STRIDES = "strides"
    """Memory: the stride of a mode of each member of a group, a `long` each."""
    OFFSET = "offset"
    """Where the entries of each member of a group begin, in entries behind its address, a `long`."""
    ELEMENTS = "elements"
    """The number of elements of the launch, a `long`."""
    SCRATCH = "scratch"
    """Memory: `scratch` bytes for each work-group, contents arbitrary."""


NUMBERS = frozenset({Kind.SCALAR, Kind.SIZE, Kind.STRIDE, Kind.OFFSET, Kind.ELEMENTS})
"""The kinds that are passed by value."""


@dataclass(frozen=True, slots=True)
class KernelArgument:
    """One argument; `type` is that of the number, or of the entries of the memory (u8 for bytes).

    `parameter` is the name of the one that it belongs to, None for what the launch adds; `mode` is that of the memref.
    """

    kind: Kind
    type: str
    parameter: str | None = None
    mode: int | None = None


def kernel_arguments(artifact: Artifact) -> tuple[KernelArgument, ...]:
    """All arguments in their order."""
    arguments = [each for parameter in artifact.parameters for each in arguments_of(parameter)]
    if counts_elements(artifact):
        arguments.append(KernelArgument(Kind.ELEMENTS, "i64"))
    if artifact.scratch:
        arguments.append(KernelArgument(Kind.SCRATCH, "u8"))
    return tuple(arguments)


def counts_elements(artifact: Artifact) -> bool:
    """True if the kernel is told how many elements the launch has."""
    return artifact.elements_per_group > 1 or artifact.scratch != 0


def arguments_of(parameter: Parameter) -> Iterator[KernelArgument]:
    """The arguments of one parameter."""
    name = parameter.name
    match parameter:
        case ScalarParameter(_, scalar):
            yield KernelArgument(Kind.SCALAR, "i64" if scalar == "index" else scalar, name)
        case TensorParameter():
            yield KernelArgument(Kind.MEMORY, parameter.type, name)
            yield from _run_time_extents(parameter, Kind.SIZE, Kind.STRIDE)
        case GroupParameter():
            yield KernelArgument(Kind.ADDRESSES, "u64", name)
            yield from _run_time_extents(parameter, Kind.SIZES, Kind.STRIDES)
            if parameter.offset is None:
                yield KernelArgument(Kind.OFFSET, "i64", name)


def _run_time_extents(
    parameter: TensorParameter | GroupParameter, size: Kind, stride: Kind
) -> Iterator[KernelArgument]:
    for kind, extents in ((size, parameter.shape), (stride, parameter.strides)):
        for mode, extent in enumerate(extents):
            if extent is None:
                yield KernelArgument(kind, "i64", parameter.name, mode)


def argument_types(artifact: Artifact) -> tuple[np.dtype[np.generic] | None, ...]:
    """The type of each argument that is a number, None for memory: setting numbers of unknown type takes far longer."""
    return tuple(ELEMENT_TYPES[each.type] if each.kind in NUMBERS else None for each in kernel_arguments(artifact))
