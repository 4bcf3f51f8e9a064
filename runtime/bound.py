"""A kernel bound to its arguments: start it, wait for it, bring the results home."""

import weakref
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace

import numpy as np
import pyopencl as cl
from pyopencl.typing import KernelArg

from diagnostics import CompileError
from runtime.arguments import Arguments
from runtime.artifact import Artifact
from runtime.batch import DeviceStorage, Place, TensorStorage
from runtime.describe import quoted
from runtime.errors import driver_errors
from runtime.groups import PointerStorage, SharedStorage, group_storage
from runtime.scratch import resident_groups, scratch_memory
from runtime.values import ArrayValue, DeviceArray, HostArray, HostGroup, ScalarValue

Storage = TensorStorage | DeviceStorage | PointerStorage | SharedStorage


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A kernel object with its arguments set, for one part of the batch; `storages` keeps their memory.

    `groups` is the number of work-groups, `scratch` the memory that they need besides.
    """

    kernel: cl.Kernel
    groups: int
    storages: dict[str, Storage]
    scratch: cl.Buffer | None


def _bind(kernel: cl.Kernel, arguments: Arguments, place: Place, artifact: Artifact) -> _Part:
    """Put the arguments where the device finds them and set them in the order of the calling convention."""
    storages: dict[str, Storage] = {}
    values: list[KernelArg] = []
    for argument in arguments.values:
        if isinstance(argument, ScalarValue):
            values.append(argument.value)
        else:
            storage = storages[argument.parameter.name] = _store(argument, place)
            values += storage.kernel_arguments
    groups = -(-arguments.groups // artifact.elements_per_group) * artifact.groups_per_element
    if artifact.elements_per_group > 1 or artifact.scratch:
        values.append(np.int64(arguments.groups))
    scratch = None
    if artifact.scratch:
        groups = resident_groups(artifact, place.facts, groups)
        values.append(scratch := scratch_memory(artifact, place, groups))
    for position, value in enumerate(values):
        kernel.set_arg(position, value)
    return _Part(kernel, groups, storages, scratch)


def _store(value: ArrayValue, place: Place) -> Storage:
    match value:
        case HostArray():
            return TensorStorage(value, place)
        case HostGroup():
            return group_storage(value, place)
        case DeviceArray():
            return DeviceStorage(value)


class Launch:
    """A kernel with its arguments on the device.

    NumPy arguments are taken when the launch is made: what the caller writes into them later may or may not be seen.
    Every `run` continues on the results of the one before; `finish` brings them into the caller's arrays.
    """

    def __init__(
        self,
        artifact: Artifact,
        place: Place,
        parts: Iterable[tuple[cl.Kernel, Arguments]],
        lost: frozenset[str] = frozenset(),
    ) -> None:
        """Every part of the batch has a kernel object of its own; `lost` is what launches before this have changed."""
        self.queue = place.queue
        self._entry = artifact.entry
        self._local_size = (*artifact.work_group_size, 1)
        self._device = place.facts.name
        self._lost_before = lost
        self._lost = set(lost)
        # the device may use the memory of NumPy arrays, which must not be freed before the last run has ended
        weakref.finalize(self, _finish_quietly, place.queue)
        with self._guard("cannot be launched"):
            self._parts = [_bind(kernel, arguments, place, artifact) for kernel, arguments in parts]
        outputs = [item for part in self._parts for item in part.storages.items()]
        self._in_place = {name for name, storage in outputs if storage.is_in_place}

    def run(self) -> tuple[cl.Event, ...]:
        """Start the kernel over the whole batch; an event for each launch that the device needs for that."""
        m, n, _ = self._local_size
        events = []
        with self._guard("cannot be launched"):
            for part in self._parts:
                global_size = (m, n, part.groups)
                events.append(cl.enqueue_nd_range_kernel(self.queue, part.kernel, global_size, self._local_size))
                self._lost |= self._in_place
        return tuple(events)

    def finish(self) -> None:
        """Wait for all runs, then bring the results into the caller's arrays."""
        with self._guard("failed"):
            self.queue.finish()
            for part in self._parts:
                for name, storage in part.storages.items():
                    if storage.is_written:
                        self._lost.add(name)
                        storage.fetch()
        self._lost = set(self._lost_before)

    @contextmanager
    def _guard(self, what: str) -> Iterator[None]:
        """Leave nothing running when this is interrupted, and say what became of the outputs when the device fails."""
        try:
            with driver_errors("E0608", f"`{self._entry}` {what} on `{self._device}`"):
                yield
        except CompileError as error:
            _finish_quietly(self.queue)
            note = f"the contents of {quoted(sorted(self._lost))} are lost" if self._lost else "no output has changed"
            raise CompileError(replace(each, notes=(*each.notes, note)) for each in error.diagnostics) from None
        except BaseException:
            _finish_quietly(self.queue)
            raise


def _finish_quietly(queue: cl.CommandQueue) -> None:
    """Wait; what goes wrong was reported by the launch, or nobody is left to hear it."""
    with suppress(cl.Error):
        queue.finish()
