"""Prologues of launches: constants that are computed once for all elements, into memory of the launch."""

from collections.abc import Mapping, Sequence

from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, declared_layout, expected_shape
from einsum_front.runtime.arrays.storage import aligned_bytes
from einsum_front.runtime.arrays.values import ScalarValue
from einsum_front.runtime.artifact import Artifact, TensorParameter
from einsum_front.runtime.devices.driver_errors import driver_errors
from einsum_front.runtime.devices.opencl import KernelArg, cl
from einsum_front.runtime.launches.kernel_objects import KernelObjects
from einsum_front.runtime.launches.set_arguments import set_arguments, set_scalar


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
