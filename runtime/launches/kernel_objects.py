"""The kernel objects of a launch: one for each function, with the same arguments, started one after the other."""

from collections.abc import Sequence

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.devices.opencl import KernelArg, cl


@dataclass(frozen=True, slots=True, eq=False)
class KernelObjects:
    """`each` of them in the order of the functions; most kernels have one."""

    each: tuple[cl.Kernel, ...]

    def set_arg(self, position: int, value: KernelArg) -> None:
        """Set an argument of all."""
        for kernel in self.each:
            kernel.set_arg(position, value)

    def set_args(self, *values: KernelArg) -> None:
        """Set the arguments of all."""
        for kernel in self.each:
            kernel.set_args(*values)

    def enqueue(
        self, queue: cl.CommandQueue, work_group_size: tuple[int, int], groups: int, after: Sequence[cl.Event] = ()
    ) -> list[cl.Event]:
        """Starts them, each when the one before has ended, the first one behind `after`; their events."""
        m, n = work_group_size
        events: list[cl.Event] = []
        for kernel in self.each:
            before = events[-1:] or list(after)
            events.append(cl.enqueue_nd_range_kernel(queue, kernel, (m, n, groups), (m, n, 1), wait_for=before or None))
        return events
