"""Kernels on devices of OpenCL."""

from collections.abc import Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.batch import Place
from einsum_front.runtime.arrays.values import DeviceArray
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.context import adopt, queue_of
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.opencl import cl
from einsum_front.runtime.launches import bound
from einsum_front.runtime.launches.build import KernelPool, build
from einsum_front.runtime.launches.direct import Direct
from einsum_front.runtime.launches.opencl_direct import direct


@dataclass(frozen=True, slots=True)
class OpenCLBound:
    """A kernel in a context, for a queue; `pools` has the kernel objects of it and of its prologue."""

    artifact: Artifact
    place: Place
    pools: tuple[KernelPool, KernelPool | None]

    def launch(self, parts: Sequence[Arguments], lost: frozenset[str], *, starts_at_once: bool) -> bound.Launch:
        """A launch that owns kernel objects until nobody has it any more."""
        return bound.Launch(self.artifact, self.place, self.pools, parts, lost, starts_at_once=starts_at_once)

    def direct(self, part: Arguments) -> Direct | None:
        """Launches on the memory of arrays as they lie."""
        return direct(self.artifact, self.place, self.pools[0], part)


@dataclass(frozen=True, slots=True)
class OpenCLEngine:
    """A kernel for a device; `queue` is where all launches go, None: that of their arrays or of the device."""

    artifact: Artifact
    device: Device
    queue: cl.CommandQueue | None

    def bind(self, arguments: Arguments) -> OpenCLBound:
        """Builds the program for the context of the arguments."""
        place, handle, prologue = self._place(arguments), self.device.handle, self.artifact.prologue
        once = None if prologue is None else build(prologue, place.context, handle)
        return OpenCLBound(self.artifact, place, (build(self.artifact, place.context, handle), once))

    def _place(self, arguments: Arguments) -> Place:
        """The caller's context and queue if an argument is on the device already, else ours."""
        facts, handle = self.device.facts, self.device.handle
        if self.queue is not None:
            return Place(self.queue.context, self.queue, facts)
        placed = [value for value in arguments.values if isinstance(value, DeviceArray)]
        contexts = [value.context for value in placed if value.context is not None]
        if not contexts:
            return Place(self.device.context, self.device.queue, facts)
        adopt(contexts[0])
        queues = [value.queue for value in placed if value.queue is not None]
        for queue in queues:
            queue.finish()  # what still fills or reads the arrays
        ours = [queue for queue in queues if queue.device == handle]
        return Place(contexts[0], ours[0] if ours else queue_of(contexts[0], handle), facts)
