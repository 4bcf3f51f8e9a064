"""Calls with nothing left to check, copy or compile: memory of the host as it lies, one launch, and its end.

What decides how arrays come to a kernel is found out by the first call of its kind (`calls`, `bound`). A call like it
takes as long as the driver, but for some microseconds: a buffer is made of each array, set, and the kernel started.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, cast

import numpy as np
import pyopencl as cl
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.runtime.arguments import Arguments
from einsum_front.runtime.artifact import Artifact, ScalarParameter
from einsum_front.runtime.batch import Place
from einsum_front.runtime.build import KernelPool
from einsum_front.runtime.describe import quoted
from einsum_front.runtime.errors import driver_failure
from einsum_front.runtime.forked import use_drivers
from einsum_front.runtime.scalars import check_scalar
from einsum_front.runtime.signature import arguments_of, counts_elements
from einsum_front.runtime.values import HostArray, ScalarValue, Value

READ = cl.mem_flags.READ_ONLY | cl.mem_flags.USE_HOST_PTR
WRITE = cl.mem_flags.READ_WRITE | cl.mem_flags.USE_HOST_PTR


@dataclass(frozen=True, slots=True)
class _Memory:
    """An array among the arguments of a kernel: its name and position, and the axes from the slowest to the fastest.

    `row` is None if that is the order of the array.
    """

    name: str
    position: int
    flags: int
    row: tuple[int, ...] | None


@dataclass(frozen=True, slots=True, eq=False)
class Direct:
    """Launches of a kernel for arrays of certain shapes and strides; `numbers` are set once, scalars in each call."""

    artifact: Artifact
    place: Place
    pool: KernelPool
    memories: tuple[_Memory, ...]
    scalars: tuple[tuple[int, ScalarParameter], ...]
    numbers: tuple[tuple[int, np.int64], ...]
    work_groups: int
    idle: list[cl.Kernel] = field(default_factory=list)

    def call(self, arguments: Mapping[str, object]) -> bool:
        """`run` for arguments by name that look like those of the first call.

        False as well if something is wrong that a look does not tell: numbers, and memory that arrays share.
        """
        arrays = [cast("NDArray[Any]", arguments[memory.name]) for memory in self.memories]
        for place, memory in enumerate(self.memories):
            if memory.flags == WRITE:
                for other, array in enumerate(arrays):
                    if other != place and np.may_share_memory(arrays[place], array):
                        return False
        scalars = []
        for _, parameter in self.scalars:
            scalar = check_scalar(parameter, arguments[parameter.name])
            if isinstance(scalar, Diagnostic):
                return False
            scalars.append(scalar.value)
        return self.run(arrays, scalars)

    def run(self, arrays: Sequence[NDArray[Any]], scalars: Sequence[np.generic] = ()) -> bool:
        """Runs the kernel and waits; False if the driver does not start it: then nothing has changed.

        Arrays and scalars are in the order of the parameters. Raises CompileError (E0608) if the device fails.
        """
        use_drivers()
        place, kernel, (m, n) = self.place, self._kernel(), self.artifact.work_group_size
        buffers = []
        try:
            try:
                for memory, array in zip(self.memories, arrays, strict=True):
                    lying = array if memory.row is None else array.transpose(memory.row).reshape(-1)
                    buffers.append(cl.Buffer(place.context, memory.flags, 0, lying))
                    kernel.set_arg(memory.position, buffers[-1])
                for (position, _), number in zip(self.scalars, scalars, strict=True):
                    kernel.set_arg(position, number)
                cl.enqueue_nd_range_kernel(place.queue, kernel, (m, n, self.work_groups), (m, n, 1))
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
        self.idle.append(kernel)
        return True

    def _kernel(self) -> cl.Kernel:
        """A kernel object that no other thread uses, its numbers set."""
        try:
            return self.idle.pop()
        except IndexError:
            kernel = self.pool.take()
            for position, number in self.numbers:
                kernel.set_arg(position, number)
            return kernel

    def _failed(self, error: cl.Error) -> CompileError:
        written = [each.name for each in self.artifact.parameters if getattr(each, "is_written", False)]
        note = f"the contents of {quoted(sorted(written))} are lost"
        return driver_failure("E0608", f"`{self.artifact.name}` failed on `{self.place.facts.name}`", error, (note,))


def direct(artifact: Artifact, place: Place, pool: KernelPool, arguments: Arguments) -> Direct | None:
    """Launches for calls with arrays like these; None if something has to be copied, computed or loaded before."""
    driver = place.facts.driver
    if artifact.prologue is not None or artifact.scratch or not arguments.groups:
        return None
    if not (place.facts.shares_host_memory and driver.works_in_host_memory and all(map(_lies, arguments.values))):
        return None
    work_groups = -(-arguments.groups // artifact.elements_per_group) * artifact.groups_per_element
    if pool.loads_for(work_groups):
        return None
    memories: list[_Memory] = []
    scalars: list[tuple[int, ScalarParameter]] = []
    numbers: list[tuple[int, np.int64]] = []
    position = 0
    for value in arguments.values:
        if isinstance(value, HostArray):
            row = value.fit.row
            flags = WRITE if value.parameter.is_written else READ
            is_in_order = row == tuple(range(len(row or ())))
            memories.append(_Memory(value.parameter.name, position, flags, None if is_in_order else row))
            numbers += [(position + 1 + place, np.int64(each)) for place, each in enumerate(value.fit.numbers)]
        elif isinstance(value, ScalarValue):
            scalars.append((position, value.parameter))
        position += len(list(arguments_of(value.parameter)))
    if counts_elements(artifact):
        numbers.append((position, np.int64(arguments.groups)))
    return Direct(artifact, place, pool, tuple(memories), tuple(scalars), tuple(numbers), work_groups)


def _lies(value: Value) -> bool:
    """True for numbers, and for arrays that the kernel finds where they are, without gaps."""
    if isinstance(value, HostArray):
        return value.fit.is_in_place and value.fit.row is not None
    return isinstance(value, ScalarValue)
