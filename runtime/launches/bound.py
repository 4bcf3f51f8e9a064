"""A kernel bound to its arguments: start it, wait for it, bring the results home."""

import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.words import quoted
from einsum_front.runtime.arrays.allocation import release_mistake
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.batch import DeviceStorage, Place, StagedStorage, TensorStorage
from einsum_front.runtime.arrays.groups import PointerStorage, SharedStorage, group_storage
from einsum_front.runtime.arrays.scalars import check_scalars
from einsum_front.runtime.arrays.storage import ArrayValue, DeviceArray, HostArray, HostGroup, ScalarValue
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.caches.folders import Work
from einsum_front.runtime.devices.context import timed_queue
from einsum_front.runtime.devices.opencl import KernelArg, cl, driver_failure, is_lost, use_drivers
from einsum_front.runtime.launches.backlog import Backlog
from einsum_front.runtime.launches.build import KernelObjects, KernelPool
from einsum_front.runtime.launches.engine import Portable
from einsum_front.runtime.launches.set_arguments import Prologue, set_arguments, set_scalar

Storage = TensorStorage | StagedStorage | DeviceStorage | PointerStorage | SharedStorage


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """Kernel objects with their arguments set, for one part of the batch; `storages` keeps their memory.

    `groups` is the number of work-groups, `scratch` the memory that they need besides.
    """

    pool: KernelPool
    kernels: KernelObjects
    groups: int
    storages: dict[str, Storage]
    scratch: cl.Buffer | None


class _Binding:
    """Puts arguments where the device finds them, and sets them in the order of the calling convention."""

    def __init__(self, artifact: Artifact, place: Place, once: KernelObjects | None) -> None:
        self.prologue: Prologue | None = None
        self._artifact = artifact
        self._place = place
        self._once = once

    def part(self, pool: KernelPool, kernels: KernelObjects, arguments: Arguments) -> _Part:
        """A part of the batch; with the first one comes the prologue, which is the same for all."""
        artifact = self._artifact
        storages: dict[str, Storage] = {}
        given: dict[str, Sequence[KernelArg]] = {}
        for argument in arguments.values:
            name = argument.parameter.name
            if isinstance(argument, ScalarValue):
                given |= {part.parameter.name: (part.value,) for part in argument.parts()}
            else:
                storages[name] = _store(argument, self._place)
                given[name] = storages[name].kernel_arguments
        if self.prologue is None and artifact.prologue is not None and self._once is not None:
            self.prologue = Prologue(artifact.prologue, self._once, given, self._place)
        given |= {} if self.prologue is None else self.prologue.memory
        groups, scratch = set_arguments(kernels, artifact, given, arguments.groups, self._place, arguments.sizes)
        return _Part(pool, kernels, groups, storages, scratch)


def _store(value: ArrayValue, place: Place) -> Storage:
    match value:
        case HostArray():
            return TensorStorage(value, place) if place.facts.shares_host_memory else StagedStorage(value, place)
        case HostGroup():
            return group_storage(value, place)
        case DeviceArray():
            return DeviceStorage(value)


class Launch(Portable):
    """A kernel with its arguments on the device.

    The first `run`, and the first one behind a `finish`, takes NumPy arrays as they are then, whatever their layout.
    Every further `run` continues on the results of the one before; `finish` brings them into the caller's arrays.
    Until then what the caller writes into these may or may not be seen.
    """

    def __init__(
        self,
        artifact: Artifact,
        place: Place,
        pools: tuple[KernelPool, KernelPool | None],
        parts: Sequence[Arguments],
        lost: frozenset[str] = frozenset(),
        *,
        starts_at_once: bool = False,
    ) -> None:
        """Every part of the batch has kernel objects of its own; `lost` is what launches before this have changed.

        `pools` has those of the kernel and, if there is one, of the prologue. What is started at once need not look
        again at what NumPy arrays hold.
        """
        self.queue = place.queue
        self._place = place
        self._artifact = artifact
        self._count = sum(part.groups for part in parts)
        self._device = place.facts.name
        self._lost_before = lost
        self._lost = set(lost)
        borrowed: list[tuple[KernelPool, KernelObjects, frozenset[str]]] = []
        shared = frozenset(name for arguments in parts for name in arguments.in_shared_memory())

        def take(pool: KernelPool) -> KernelObjects:
            kernels = pool.take(shared)
            borrowed.append((pool, kernels, shared))
            return kernels

        # the device may use the memory of NumPy arrays, which must not be freed before the last run has ended
        self._loading: list[Work] = []
        weakref.finalize(self, _end, place.queue, borrowed, self._loading)
        with self._guard("cannot be launched"):
            of_kernel, of_prologue = pools
            binding = _Binding(artifact, place, None if of_prologue is None else take(of_prologue))
            self._parts = [binding.part(of_kernel, take(of_kernel), arguments) for arguments in parts]
        self._prologue = binding.prologue
        self._last: tuple[cl.Event, ...] = ()
        self._backlog = Backlog()
        outputs = [item for part in self._parts for item in part.storages.items()]
        self._in_place = {name for name, storage in outputs if storage.is_in_place}
        storages = [storage for _, storage in outputs]
        self._placed = [(each.name, each.callers) for each in storages if isinstance(each, DeviceStorage)]
        self._is_taken = starts_at_once and place.facts.shares_host_memory  # else nothing was copied so far

    def __repr__(self) -> str:
        """`<launch of volume, 10000 elements>`; where nothing is batched, the number of work-groups."""
        unit = "element" if self._artifact.is_batched else "work-group"
        return f"<launch of {self._artifact.name}, {self._count} {unit}{'' if self._count == 1 else 's'}>"

    def set(self, **numbers: object) -> None:
        """Other numbers for scalars, from the next run on: `launch.set(dt=0.5)`. Raises CompileError as a call does."""
        checked = check_scalars(self._artifact, numbers)
        self.renumbered(numbers)
        for value in [part for number in checked for part in number.parts()]:
            with self._guard("cannot be launched"):
                for part in self._parts:
                    set_scalar(part.kernels, self._artifact, value)
                if self._prologue is not None:
                    self._prologue.set(value)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """What runs inside goes to a queue with a clock, unless the queue is the caller's: events have times then."""
        plain, timed = self.queue, timed_queue(self.queue)
        if timed == plain:
            yield
            return
        self.load()  # copies are in the other queue
        self.queue = timed
        try:
            yield
            self.wait()
        finally:
            _finish_quietly(timed)
            self.queue = plain

    def load(self) -> None:
        """Bring what NumPy arrays hold now to the device, and wait; the next `run` need not."""
        use_drivers()
        with self._guard("cannot be launched"):
            self._take()
            self.queue.finish()

    def wait(self) -> None:
        """Wait for what was started; `finish` brings the results."""
        with self._guard("failed"):
            self.queue.finish()

    def run(self) -> tuple[cl.Event, ...]:
        """Start the kernel over the whole batch; an event for each launch that the device needs for that.

        The first of them is the prologue, if there is one: it waits for the run before, and all others wait for it.
        Where the device has much to do already, this waits until it has done some of it (`runtime.launches.backlog`).
        """
        use_drivers()
        before: list[cl.Event] = []
        events: list[cl.Event] = []
        with self._guard("cannot be launched"):
            self._check_memory()
            self._watch_loading()
            self._take()
            if self._prologue is not None:
                before = [self._prologue.run(self.queue, self._last)]
            for part in self._parts:
                events += part.kernels.enqueue(self.queue, self._artifact.work_group_size, part.groups, before)
                self._lost |= self._in_place
        if self._prologue is not None or self._loading:
            self._last = tuple(events)
        if self._backlog.add(events):
            with self._guard("failed"):
                self._backlog.wait()
        return (*before, *events)

    def _check_memory(self) -> None:
        """The caller may have released memory of the device since the arguments were bound."""
        for name, memory in self._placed:
            mistake = release_mistake(f"argument `{name}`", memory)
            if mistake is not None:
                raise CompileError([mistake])

    def _watch_loading(self) -> None:
        """The driver compiles or loads in the first runs, in threads of its own: until one of them is seen to end."""
        if self._loading:
            if all(event.command_execution_status == cl.command_execution_status.COMPLETE for event in self._last):
                self._has_loaded()
        elif any(part.pool.loads_for(part.groups) for part in self._parts):
            self._loading.append(Work())

    def _has_loaded(self) -> None:
        while self._loading:
            self._loading.pop().close()
        for part in self._parts:
            part.pool.has_loaded_for(part.groups)

    def _take(self) -> None:
        """Bring what the caller has written since the last `finish` to where the kernel reads it."""
        if self._is_taken:
            return
        for part in self._parts:
            for storage in part.storages.values():
                storage.take()
        if not self._is_in_order():
            self._place.queue.finish()
        self._is_taken = True

    def _is_in_order(self) -> bool:
        """True if copies and kernels run one after the other by themselves: they are in one queue that keeps order."""
        keeps = not self.queue.properties & cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        return keeps and self.queue == self._place.queue

    def finish(self) -> None:
        """Wait for all runs, then bring the results into the caller's arrays."""
        use_drivers()
        written = [item for part in self._parts for item in part.storages.items() if item[1].is_written]
        with self._guard("failed"):
            if not self._is_in_order():
                self.queue.finish()
            for _, storage in written:
                storage.publish()
            self._place.queue.finish()
            self._backlog.clear()
            for name, storage in written:
                self._lost.add(name)
                storage.fetch()
        if self._loading:
            self._has_loaded()
        self._is_taken = False
        self._lost = set(self._lost_before)

    def _guard(self, what: str) -> "_Guard":
        return _Guard(self, what)

    def stopped_by(self, error: BaseException, what: str) -> None:
        """Leave nothing running when this is interrupted, and say what became of the outputs when the device fails."""
        _finish_quietly(self.queue)
        if isinstance(error, cl.Error):
            error = driver_failure("E0608", f"`{self._artifact.name}` {what} on `{self._device}`", error)
        if isinstance(error, CompileError):
            note = f"the contents of {quoted(sorted(self._lost))} are lost" if self._lost else "no output has changed"
            raise CompileError(replace(each, notes=(*each.notes, note)) for each in error.diagnostics) from None


@dataclass(frozen=True, slots=True)
class _Guard:
    """A block that a launch hears of if it does not end well; no generator, since each call has four."""

    launch: Launch
    what: str

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if error is not None:
            self.launch.stopped_by(error, self.what)


def _end(
    queue: cl.CommandQueue,
    borrowed: Iterable[tuple[KernelPool, KernelObjects, frozenset[str]]],
    loading: Iterable[Work],
) -> None:
    """Ends a launch that nobody can start any more, and leaves its memory to others."""
    _finish_quietly(queue)
    for work in loading:
        work.close()
    for pool, kernels, shared in borrowed:
        pool.give_back(kernels, shared)


def _finish_quietly(queue: cl.CommandQueue) -> None:
    """Wait; what goes wrong was reported by the launch, or nobody is left to hear it.

    What runs in the parent of a fork is no matter of the child.
    """
    if is_lost():
        return
    with suppress(cl.Error):
        queue.finish()
