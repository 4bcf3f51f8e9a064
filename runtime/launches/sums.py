"""Launches of kernels after which elements add where integers say: the kernel, then a kernel for each sum.

The kernel leaves what elements add in memory of the launch. The inverse of the integers is made once for a launch, and
kept for calls with the same integers, which are compared.
"""

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.extent import evaluated
from einsum_front.core.words import counted
from einsum_front.runtime.arrays.arguments import Arguments, entries_of
from einsum_front.runtime.arrays.inverse import Inverse, inverse
from einsum_front.runtime.arrays.layout import ELEMENT_TYPES, Layout, declared_layout
from einsum_front.runtime.arrays.scalars import check_scalars
from einsum_front.runtime.arrays.storage import (
    ArrayValue,
    DeviceArray,
    HostArray,
    HostGroup,
    ScalarValue,
    copy_back,
    copy_in,
    fitted,
    flat,
    new_array,
)
from einsum_front.runtime.artifact import Artifact, Sums, TensorParameter
from einsum_front.runtime.devices.device import Device
from einsum_front.runtime.devices.errors import failure
from einsum_front.runtime.devices.opencl import Array, cl, driver_errors
from einsum_front.runtime.launches.engine import Launch, Portable

Numbers = NDArray[Any]
Prepared = Callable[..., Launch]
"""`Kernel.prepare`."""

MOST_KEPT = 8
"""Inverses, and memory of launches, that are kept for the calls of a kernel; one more, and all are forgotten."""


@dataclass(slots=True)
class _Copy:
    """The target where it lies as the kernels take it: the caller's array, or a copy of it."""

    value: HostArray
    host: Numbers

    def take(self) -> None:
        """What the caller has in the array now."""
        if self.host is not self.value.array:
            copy_in(self.host, self.value.array, None)

    def fetch(self) -> None:
        """Brings the results into the caller's array."""
        if self.host is not self.value.array:
            copy_back(self.value.array, self.host, None)


class SumsLaunch(Portable):
    """A kernel and the sums after it, with their arguments bound; see `engine.Launch`."""

    def __init__(
        self, artifact: Artifact, groups: int, first: Launch, later: list[Launch], copies: list[_Copy]
    ) -> None:
        self._artifact, self._groups = artifact, groups
        self._all = [first, *later]
        self._copies = copies
        self._is_taken = False

    def __repr__(self) -> str:
        return f"<launch of {self._artifact.name}, {counted(self._groups, 'element')}>"

    def set(self, **numbers: object) -> None:
        """Other numbers for scalars, from the next run on; raises CompileError as a call does."""
        check_scalars(self._artifact, numbers)
        self._all[0].set(**numbers)
        self.renumbered(numbers)

    def load(self) -> None:
        """Bring what NumPy arrays hold now to the device, and wait; the next `run` need not."""
        self._take()
        for launch in self._all:
            launch.load()

    def wait(self) -> None:
        """Wait for what was started."""
        for launch in self._all:
            launch.wait()

    def run(self) -> tuple[Any, ...]:
        """Start the kernel over the whole batch, and the sums after it; an event for each launch."""
        self._take()
        events: list[Any] = []
        for launch in self._all:
            events += launch.run()
            if not _keeps_order(self._all):
                launch.wait()
        return tuple(events)

    @contextmanager
    def timed(self) -> Iterator[None]:
        """What runs inside has events with a clock."""
        with ExitStack() as stack:
            for launch in self._all:
                stack.enter_context(launch.timed())
            yield

    def finish(self) -> None:
        """Wait for all runs, then bring the results into the caller's arrays."""
        for launch in self._all:
            launch.finish()
        for each in self._copies:
            each.fetch()
        self._is_taken = False

    def _take(self) -> None:
        if not self._is_taken:
            for each in self._copies:
                each.take()
        self._is_taken = True


def _keeps_order(launches: list[Launch]) -> bool:
    """True if one begins when the one before has ended by itself: all are in one queue that keeps order."""
    queues = {getattr(each, "queue", None) for each in launches}
    queue = next(iter(queues))
    if len(queues) > 1:
        return False
    out_of_order = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE if queue is not None else 0
    return queue is None or not queue.properties & out_of_order


class SumsAfter:
    """The sums after a kernel of a device: binds launches of both."""

    def __init__(self, artifact: Artifact, device: Device, prepare: Prepared, adding: list[Prepared]) -> None:
        """`prepare` is that of the kernel without sums, `adding` are those of the kernels of the sums."""
        self._artifact, self._device = artifact, device
        self._prepare, self._adding = prepare, adding
        self._parameters = {each.name: each for each in artifact.parameters if isinstance(each, TensorParameter)}
        self._inverses: dict[tuple[object, ...], list[Inverse]] = {}
        self._memory: dict[tuple[object, ...], list[Any]] = {}

    def launch(self, checked: Arguments, arguments: Mapping[str, object]) -> "tuple[SumsLaunch, Callable[[], None]]":
        """A launch for arguments that are checked, and what leaves its memory to others."""
        values = {each.parameter.name: each for each in checked.values if not isinstance(each, ScalarValue)}
        place = self._place(values)
        parts, later, copies, taken = dict[str, Any](), list[Launch](), dict[str, _Copy](), list[tuple[Any, Any]]()
        for sums, adding in zip(self._artifact.sums, self._adding, strict=True):
            source, target = sums.scatter.source, values[sums.scatter.target]
            layout = self._layout(self._parameters[source], checked)
            key = (source, layout, place)
            memory = self._memory.get(key) or [_memory(layout, self._parameters[source].type, place)]
            parts[source] = memory.pop()
            taken.append((key, parts[source]))
            if isinstance(target, HostGroup) or target is None:
                raise failure("E0503", f"argument `{sums.scatter.target}` is a group, to which nothing is added")
            found = self._inverse(sums, values, layout, target, place)
            if not len(found.rows):
                continue
            given = {name: _placed(getattr(found, name), place) for name in ("rows", "first", "at")}
            groups = -(-len(found.rows) // sums.rows_together)
            if isinstance(target, HostArray):
                copy = copies.setdefault(sums.scatter.target, _copy(target))
                y: object = flat(copy.host, target.fit)
            else:
                y = _flat(target, target.layout)
            later.append(adding(groups, y=y, parts=_flat_parts(parts[source], layout), **given))
        first = self._prepare(**{**arguments, **parts})
        made = SumsLaunch(self._artifact, checked.groups, first, later, list(copies.values()))

        def leave() -> None:
            for key, memory in taken:
                if len(self._memory) >= MOST_KEPT:
                    self._memory.clear()
                self._memory.setdefault(key, []).append(memory)

        return made, leave

    def _place(self, values: Mapping[str, ArrayValue]) -> "cl.CommandQueue | None":
        """The queue for memory of the launch on a device; None for NumPy arrays."""
        if self._device.facts.shares_host_memory:
            return None
        arrays = (each for each in values.values() if isinstance(each, DeviceArray))
        return next((each.queue for each in arrays if each.queue is not None), self._device.queue)

    def _layout(self, parameter: TensorParameter, checked: Arguments) -> Layout:
        sizes = checked.sizes
        shape = [
            checked.groups if mode == parameter.batch_mode else size if size is not None
            else int(evaluated(parameter.extent_of(mode) or 0, sizes))  # type: ignore[arg-type] # all are shown
            for mode, size in enumerate(parameter.shape)
        ]  # fmt: skip
        return declared_layout(parameter, _by_axes(parameter, shape))

    def _inverse(
        self,
        sums: Sums,
        values: Mapping[str, ArrayValue],
        parts: Layout,
        target: HostArray | DeviceArray,
        place: object,
    ) -> Inverse:
        lying = target.fit.layout if isinstance(target, HostArray) else target.layout
        arrays = {each.tensor: _entries(values[each.tensor], self._device) for each in sums.scatter.integers}
        integers = tuple(arrays[each.tensor] for each in sums.scatter.integers)
        kept = self._inverses.setdefault((sums.scatter.source, parts, lying, place), [])
        found = next((each for each in kept if each.is_of(integers)), None)
        if found is None:
            found = inverse(sums, arrays, parts, lying)
            if len(kept) >= MOST_KEPT:
                kept.clear()
            kept.append(found)
        return found


def _by_axes(parameter: TensorParameter, shape: list[int]) -> tuple[int, ...]:
    """The sizes of modes in the order of the caller's axes."""
    axes = declared_layout(parameter, tuple(0 for _ in shape)).axes
    sizes = dict(zip(axes, shape, strict=True))
    return tuple(sizes[axis] for axis in range(len(shape)))


def _copy(value: HostArray) -> _Copy:
    return _Copy(value, fitted(value.parameter, value.array, value.fit))


def _entries(value: ArrayValue, device: Device) -> Numbers:
    """The entries of an argument, the elements of a group in front."""
    found = list(entries_of(value, device))
    if not isinstance(value, HostGroup):
        return found[0]
    return np.stack(found) if found else np.zeros((0, *(size or 0 for size in value.parameter.shape)))


def _memory(layout: Layout, type_: str, place: "cl.CommandQueue | None") -> Any:
    """Memory for what elements add, in the layout that the kernel takes."""
    if place is None:
        return new_array(type_, layout)
    dtype = ELEMENT_TYPES[type_]
    with driver_errors("E0607", "no memory for what elements add where integers say"):
        buffer = cl.Buffer(place.context, cl.mem_flags.READ_WRITE, max(1, layout.span) * dtype.itemsize)
    strides = tuple(stride * dtype.itemsize for stride in layout.array_strides)
    return Array(place, layout.array_shape, dtype, strides=strides, data=buffer)


def _flat_parts(parts: Any, layout: Layout) -> object:
    if isinstance(parts, np.ndarray):
        return parts.transpose(layout.axes[::-1]).reshape(-1)  # a view: nothing lies between the entries
    return Array(parts.queue, (layout.span,), parts.dtype, data=parts.base_data)


def _flat(value: DeviceArray, layout: Layout) -> object:
    queue: Any = value.queue
    data: Any = value.memory
    return Array(queue, (layout.span,), ELEMENT_TYPES[value.parameter.type], data=data, offset=value.offset)


def _placed(array: Numbers, place: "cl.CommandQueue | None") -> object:
    """Integers where the device finds them."""
    if place is None:
        return array
    with driver_errors("E0607", "no memory for the inverse of integers that say where"):
        flags = cl.mem_flags.READ_ONLY | cl.mem_flags.COPY_HOST_PTR
        buffer = cl.Buffer(place.context, flags, hostbuf=array)
    return Array(place, array.shape, array.dtype, data=buffer)
