"""A batch of NumPy's arrays through a device with memory of its own: copies in, kernels and copies out at one time.

Several threads take part after part of the batch. A thread copies its part into page-locked memory, starts copies and
kernel, waits, and copies the results out. So the batch needs no memory of the device as a whole,
and the bus, the kernels and the memory of the host are busy at the same time (`runtime.arrays.bus`). Arrays that all
elements share are sent once, and a prologue runs once.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from threading import Lock

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.core.words import quoted
from einsum_front.runtime.arrays import bus as buses
from einsum_front.runtime.arrays.arguments import Arguments
from einsum_front.runtime.arrays.batch import DeviceStorage, Place, StagedStorage
from einsum_front.runtime.arrays.bus import Block, Bus, Cut, Slot, bus_of, copiers, goes_straight, share_out
from einsum_front.runtime.arrays.layout import entries_of_element
from einsum_front.runtime.arrays.storage import DeviceArray, HostArray, ScalarValue
from einsum_front.runtime.artifact import Artifact
from einsum_front.runtime.devices.opencl import KernelArg, cl, driver_errors, driver_failure, use_drivers
from einsum_front.runtime.launches.build import KernelObjects, KernelPool
from einsum_front.runtime.launches.set_arguments import Prologue, argument_values
from einsum_front.runtime.launches.split import are_splittable

LEAST = 2**23
"""Bytes of a part of an array, at least, where the batch is shared out to more threads than it must be."""

FEW = 4
"""Threads where each launch needs memory for temporaries."""

AHEAD = 4
"""Parts that are on their way at a time where the device copies page-locked arrays itself, which takes one thread.

Threads that copy have one each: there are enough of them.
"""

Given = Mapping[str, Sequence[KernelArg]]
"""The OpenCL arguments of parameters, by name."""


@dataclass(frozen=True, slots=True, eq=False)
class Stream:
    """A call that goes through a device in parts of `step` elements.

    `streamed` are the arguments that are cut, and where there is one part, all of NumPy's; those in `overwritten` need
    not be sent. `is_straight`: the device copies all of them itself.
    """

    artifact: Artifact
    place: Place
    pools: tuple[KernelPool, KernelPool | None]
    arguments: Arguments
    streamed: tuple[HostArray, ...]
    overwritten: frozenset[str]
    step: int
    is_straight: bool
    starting: Lock = field(default_factory=Lock)
    lost: set[str] = field(default_factory=set)

    @property
    def bus(self) -> Bus:
        """That of the device."""
        return bus_of(self.place.context, self.place.queue.device)

    def run(self) -> None:
        """Runs the batch and waits; raises CompileError (E0607, E0608), which says what is lost."""
        use_drivers()
        of_kernel, of_prologue = self.pools
        once = None if of_prologue is None else of_prologue.take()
        kernels = of_kernel.take()
        try:
            storages = dict(self._shared())
            shared: dict[str, Sequence[KernelArg]] = {n: each.kernel_arguments for n, each in storages.items()}
            scalars = (each for each in self.arguments.values if isinstance(each, ScalarValue))
            shared |= {part.parameter.name: (part.value,) for each in scalars for part in each.parts()}
            if once is not None and self.artifact.prologue is not None:
                prologue = Prologue(self.artifact.prologue, once, shared, self.place)
                prologue.run(self.place.queue, ())
                self.place.queue.finish()
                shared |= prologue.memory
            with self.bus.alone:
                self._parts(kernels, shared)
        except (cl.Error, CompileError) as error:
            raise self._told(error) from None
        of_kernel.give_back(kernels)
        if of_prologue is not None and once is not None:
            of_prologue.give_back(once)

    def _told(self, error: cl.Error | CompileError) -> CompileError:
        """What went wrong, and what became of the outputs."""
        if isinstance(error, cl.Error):
            message = f"`{self.artifact.name}` failed on `{self.place.facts.name}`"
            error = driver_failure("E0608", message, error)
        note = f"the contents of {quoted(sorted(self.lost))} are lost" if self.lost else "no output has changed"
        return CompileError(replace(each, notes=(*each.notes, note)) for each in error.diagnostics)

    def _shared(self) -> Iterator[tuple[str, StagedStorage | DeviceStorage]]:
        """What all elements share, on the device."""
        for value in self.arguments.values:
            if isinstance(value, HostArray) and value not in self.streamed:
                storage = StagedStorage(value, self.place)
                storage.take()
                yield value.parameter.name, storage
            elif isinstance(value, DeviceArray):
                yield value.parameter.name, DeviceStorage(value)

    def _parts(self, kernels: KernelObjects, shared: Given) -> None:
        groups = self.arguments.groups
        parts = range(0, groups, self.step)
        most = 1 if self.is_straight else FEW if self.artifact.scratch else self.bus.threads
        sets = min(len(parts), AHEAD if self.is_straight else 1)

        def work(next_part: Callable[[], int | None]) -> None:
            lane = _Lane(self, kernels, shared, [_Set(self) for _ in range(sets)])
            try:
                while (start := next_part()) is not None:
                    lane.start(start, min(start + self.step, groups))
                lane.end()
            except BaseException:
                lane.abandon()
                raise

        share_out(work, parts, min(len(parts), most, self.bus.threads))


class _Set:
    """Memory for a part of each array; `event` is the end of what was started last."""

    def __init__(self, stream: Stream) -> None:
        self.bus = stream.bus
        self.slots = [self.bus.take_slot(buses.STRAIGHT if stream.is_straight else None) for _ in stream.streamed]
        self.count = 0
        self.values: Sequence[KernelArg] = ()
        self.work_groups = 0
        self.scratch: cl.Buffer | None = None
        self.event: cl.Event | None = None
        self.before: cl.Event | None = None
        self.written: list[tuple[Block, Slot]] = []

    def end(self) -> None:
        """Waits, and takes the results out of page-locked memory."""
        if self.event is not None:
            self.bus.wait_for(self.event)
            for block, slot in self.written:
                block.drain(slot)
            self.event = None

    def free(self, *, is_straight: bool) -> Sequence[cl.Event]:
        """What copies into the set must come after; waits if results have to be taken out, or if that is far behind."""
        if not is_straight:
            self.end()
        elif self.before is not None:
            self.bus.wait_for(self.before)
        self.before = self.event
        return () if self.event is None else (self.event,)


class _Lane:
    """What a thread has: while the device works on one set, it fills the next one."""

    def __init__(self, stream: Stream, kernels: KernelObjects, shared: Given, sets: Sequence[_Set]) -> None:
        self._stream, self._kernels, self._shared, self._sets = stream, kernels, shared, sets
        self._cuts = [Cut(each, stream.place.context) for each in stream.streamed]
        self._next = 0

    def end(self) -> None:
        """Waits for all; gives everything back, after parts that have all ended well."""
        for number in range(len(self._sets)):
            each = self._sets[(self._next + number) % len(self._sets)]
            each.end()
            for slot in each.slots:
                each.bus.give_slot(slot)

    def abandon(self) -> None:
        """Waits until the device has done with the memory, which nobody uses again."""
        for each in self._sets:
            each.bus.finish()

    def start(self, start: int, stop: int) -> None:
        """Starts one part, when a set is free."""
        stream, own = self._stream, self._sets[self._next]
        self._next = (self._next + 1) % len(self._sets)
        after: Sequence[cl.Event] = own.free(is_straight=stream.is_straight)
        parts = [cut.part(start, stop) for cut in self._cuts]
        if stop - start != own.count:
            self._set(own, stop - start)
        bus = own.bus
        carried = [
            (each.parameter, block, slot)
            for each, block, slot in zip(stream.streamed, parts, own.slots, strict=True)
            if block is not None  # else there is no entry
        ]
        own.written = [(block, slot) for parameter, block, slot in carried if parameter.is_written]
        sent: list[cl.Event] = []
        for parameter, block, slot in carried:
            if parameter.name not in stream.overwritten:
                memory = block.sent(slot)
                # the queue keeps the order: the last event is that of all
                sent = [cl.enqueue_copy(bus.sending, slot.device, memory, is_blocking=False, wait_for=after or None)]
                bus.sending.flush()
        with stream.starting:  # arguments are those of the kernel, which all threads share
            self._kernels.set_args(*own.values)
            size, groups = stream.artifact.work_group_size, own.work_groups
            with driver_errors("E0608", f"`{stream.artifact.name}` cannot be launched on `{stream.place.facts.name}`"):
                own.event = self._kernels.enqueue(bus.computing, size, groups, sent or after)[-1]
        bus.computing.flush()
        computed = [own.event]
        for block, slot in own.written:
            memory = block.fetched(slot)
            own.event = cl.enqueue_copy(bus.fetching, memory, slot.device, is_blocking=False, wait_for=computed)
        bus.fetching.flush()
        stream.lost.update(parameter.name for parameter, *_ in carried if parameter.is_written)

    def _set(self, own: _Set, count: int) -> None:
        """For parts of so many elements."""
        stream = self._stream
        given: dict[str, Sequence[KernelArg]] = dict(self._shared)
        for cut, slot in zip(self._cuts, own.slots, strict=True):
            given[cut.value.parameter.name] = (slot.device, *cut.fit_of(count).numbers)
        own.count = count
        own.values, own.work_groups, own.scratch = argument_values(
            stream.artifact, given, count, stream.place, stream.arguments.sizes
        )


def stream(
    artifact: Artifact,
    place: Place,
    pools: tuple[KernelPool, KernelPool | None],
    arguments: Arguments,
    overwritten: frozenset[str],
) -> Stream | None:
    """The call as a stream; None where the device works in the memory of the host, or the batch cannot be cut so."""
    arrays = [each for each in arguments.values if not isinstance(each, ScalarValue)]
    is_elsewhere = any(not isinstance(each, HostArray) and each.batch is not None for each in arrays)
    if place.facts.shares_host_memory or is_elsewhere or not are_splittable(arrays):
        return None
    streamed = tuple(each for each in arrays if isinstance(each, HostArray) and each.batch is not None)
    sizes = [entries_of_element(each.parameter, each.fit.layout) * each.array.itemsize for each in streamed]
    largest, group = max(1, *sizes), artifact.elements_per_group
    is_straight = all(goes_straight(each.array, each.fit, place.context) for each in streamed)
    most = (buses.STRAIGHT if is_straight else buses.SLOT) // largest
    if place.facts.driver.max_groups is not None:
        most = min(most, place.facts.driver.max_groups * group)
    step = min(most, max(LEAST // largest, -(-arguments.groups // copiers())))
    step = step // group * group or step
    if arguments.groups <= step and artifact.prologue is None:
        others = tuple(each for each in arrays if isinstance(each, HostArray) and each.batch is None)
        if all(each.fit.layout.span * each.array.itemsize <= buses.SLOT for each in others):
            streamed += others
            is_straight = is_straight and not others
    unread = frozenset(each.parameter.name for each in streamed if each.parameter.nonzeros is None) & overwritten
    return Stream(artifact, place, pools, arguments, streamed, unread, step, is_straight) if step else None
