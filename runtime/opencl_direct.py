"""Short calls on drivers that work in the memory of the host: a buffer of each array, and the kernel started."""

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.arguments import Arguments
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.batch import Place
from einsum_front.runtime.build import KernelPool
from einsum_front.runtime.describe import quoted
from einsum_front.runtime.direct import Direct, DirectArguments, direct_arguments
from einsum_front.runtime.errors import driver_failure
from einsum_front.runtime.forked import use_drivers
from einsum_front.runtime.values import HostArray, Value

READ = cl.mem_flags.READ_ONLY | cl.mem_flags.USE_HOST_PTR
WRITE = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR


class OpenCLDirect(Direct):
    """Launches with kernel objects of their own, whose numbers are set once."""

    __slots__ = ("_artifact", "_idle", "_place", "_pool", "_work_groups")

    def __init__(
        self, arguments: DirectArguments, artifact: Artifact, place: Place, pool: KernelPool, work_groups: int
    ) -> None:
        super().__init__(arguments)
        self._artifact = artifact
        self._place = place
        self._pool = pool
        self._work_groups = work_groups
        self._idle: list[cl.Kernel] = []

    def run(self, arrays: Sequence[NDArray[Any]], scalars: Sequence[np.generic] = ()) -> bool:
        """One launch."""
        use_drivers()
        place, kernel, (m, n) = self._place, self._kernel(), self._artifact.work_group_size
        buffers = []
        try:
            try:
                for memory, array in zip(self.arguments.arrays, arrays, strict=True):
                    lying = array if memory.row is None else array.transpose(memory.row).reshape(-1)
                    buffers.append(cl.Buffer(place.context, WRITE if memory.is_written else READ, 0, lying))
                    kernel.set_arg(memory.position, buffers[-1])
                for (position, _), number in zip(self.arguments.scalars, scalars, strict=True):
                    kernel.set_arg(position, number)
                cl.enqueue_nd_range_kernel(place.queue, kernel, (m, n, self._work_groups), (m, n, 1))
            except cl.Error:
                return False
            try:
                place.queue.finish()
            except cl.Error as error:
                raise self._failed(error) from None
        except BaseException:
            with suppress(cl.Error):
                place.queue.finish()  # the memory is the caller's, who may free it now
            raise
        self._idle.append(kernel)
        return True

    def _kernel(self) -> cl.Kernel:
        """A kernel object that no other thread uses, its numbers set."""
        try:
            return self._idle.pop()
        except IndexError:
            kernel = self._pool.take()
            for position, number in self.arguments.numbers:
                kernel.set_arg(position, number)
            return kernel

    def _failed(self, error: cl.Error) -> CompileError:
        written = [each.name for each in self._artifact.parameters if getattr(each, "is_written", False)]
        note = f"the contents of {quoted(sorted(written))} are lost"
        return driver_failure("E0608", f"`{self._artifact.name}` failed on `{self._place.facts.name}`", error, (note,))


def direct(artifact: Artifact, place: Place, pool: KernelPool, arguments: Arguments) -> OpenCLDirect | None:
    """Launches for calls with arrays like these; None if something has to be copied, computed or loaded before."""
    works_in_place = place.facts.shares_host_memory and place.facts.driver.works_in_host_memory
    if not works_in_place or any(map(_has_gaps, arguments.values)):
        return None
    found = direct_arguments(artifact, arguments)
    if found is None:
        return None
    work_groups = -(-arguments.groups // artifact.elements_per_group) * artifact.groups_per_element
    return None if pool.loads_for(work_groups) else OpenCLDirect(found, artifact, place, pool, work_groups)


def _has_gaps(value: Value) -> bool:
    """True for arrays that are no row of memory: a buffer has no gaps."""
    return isinstance(value, HostArray) and value.fit.row is None
