"""Copies between NumPy's arrays and a device with memory of its own, through page-locked memory that is kept.

A thread copies a block of an array into page-locked memory, in the layout that the device wants, and has it sent; the
bus takes no time of it. One thread copies at 8 GB/s, 16 at 46, and the bus at 54 in each direction (NVIDIA H100, Intel
Xeon): so several threads share the blocks. Arrays that are page-locked and lie as the device wants go straight.
"""

import atexit
import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from contextlib import AbstractContextManager, nullcontext, suppress
from functools import cache
from itertools import product
from threading import Event, Lock, RLock
from time import sleep
from typing import Any, TypeVar
from weakref import finalize

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime.arrays.layout import Layout
from einsum_front.runtime.arrays.page_locked import Lent, is_locked, locked_bytes
from einsum_front.runtime.arrays.storage import Fit, HostArray, copy_back, copy_in, flat, host_array
from einsum_front.runtime.devices.opencl import cl, driver_errors, use_drivers

SLOT = 2**23
"""Bytes of page-locked memory for one block: with 1 MiB the bus has 37 GB/s, with 8 MiB 52, with 16 MiB 53.

Threads that copy less at a time wait for each other in Python and in the driver.
"""

MOST_THREADS = 16
"""More do not copy faster than the memory of the host is."""

LOOKS, PAUSE = 40, 5e-5
"""Looks at what a device does before a thread sleeps, and the seconds that it sleeps then."""

STRAIGHT = 2 * SLOT
"""Bytes of a part that a device copies from page-locked memory of the caller: no thread waits for it."""

KEPT = 64
"""Slots of a device that nobody uses, at most."""


@cache
def copiers() -> int:
    """Threads that copy: three of four cores, whose copies take all of the host's memory; more wait for each other."""
    try:
        available = len(os.sched_getaffinity(0))
    except AttributeError:
        available = os.cpu_count() or 1
    return min(MOST_THREADS, max(2, 3 * available // 4))


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(copiers(), thread_name_prefix="einsum-front copies")


Item = TypeVar("Item")


def share_out(work: Callable[[Callable[[], Item | None]], None], items: Iterable[Item], most: int) -> None:
    """Several threads do the items, each thread by a call of `work`, which asks for one after the other until None.

    `most` threads at most; with one, it is the caller's. All have ended when this returns, or raises what one of them
    has raised: then no item is begun any more.
    """
    left, lock, is_over = iter(items), Lock(), Event()

    def next_item() -> Item | None:
        with lock:
            return None if is_over.is_set() else next(left, None)

    def begin() -> None:
        try:
            work(next_item)
        except BaseException:
            is_over.set()
            raise

    threads = min(most, copiers())
    if threads == 1:
        work(next_item)
        return
    futures = {_threads().submit(begin) for _ in range(threads)}
    try:
        pending = futures
        while pending:  # an interrupt is heard in between
            _, pending = wait(pending, timeout=0.5)
    finally:
        is_over.set()
        wait(futures)
    for each in futures:
        each.result()


_WAITING: list[cl.Event] = []
"""What threads wait for."""


def _look_for(event: cl.Event) -> None:
    """Waits for what was flushed, without the driver; looks again and again.

    NVIDIA's lets no other thread start anything while one waits in it: 200 parts took 75 ms instead of 45.
    """
    looks = 0
    _WAITING.append(event)
    try:
        while event.command_execution_status > cl.command_execution_status.COMPLETE:
            looks += 1
            if looks > LOOKS or len(_WAITING) > 1:  # looks of several threads keep others from Python's lock
                sleep(PAUSE)
    finally:
        _WAITING.remove(event)


class Slot:
    """Page-locked memory of `size` bytes, and as much of the device; both are made when they are first used."""

    def __init__(self, context: cl.Context, device: cl.Device, size: int) -> None:
        self.size = size
        self._context, self._handle = context, device
        self._host: NDArray[np.uint8] | None = None
        self._device: cl.Buffer | None = None

    @property
    def host(self) -> NDArray[np.uint8]:
        """The memory of the host."""
        if self._host is None:
            self._host = locked_bytes(self.size, self._context, self._handle)
        return self._host

    @property
    def device(self) -> cl.Buffer:
        """The memory of the device."""
        if self._device is None:
            with driver_errors("E0607", f"no memory for {self.size} bytes on `{self._handle.name.strip()}`"):
                self._device = cl.Buffer(self._context, cl.mem_flags.READ_WRITE, self.size)
        return self._device


class Bus:
    """Slots of a device in a context, which are used again and again, and a queue for each kind of work.

    In one queue for each thread, the copies of all would share the bus and none would end soon.
    """

    def __init__(self, context: cl.Context, device: cl.Device) -> None:
        self._context, self._device = context, device
        is_processor = device.type == cl.device_type.CPU
        self.threads = 1 if is_processor else copiers()
        self.alone: AbstractContextManager[object] = RLock() if is_processor else nullcontext()
        """For whoever uses the queues: PoCL 3.0 can crash where threads start commands in one queue."""
        self._slots: dict[int, deque[Slot]] = defaultdict(deque)
        self.sending, self.computing, self.fetching = (cl.CommandQueue(context, device) for _ in range(3))

    def take_slot(self, size: int | None = None) -> Slot:
        """A slot for whoever gives it back, of `SLOT` bytes if nothing is said."""
        size = size or SLOT
        try:
            return self._slots[size].pop()
        except IndexError:
            return Slot(self._context, self._device, size)

    def give_slot(self, slot: Slot) -> None:
        """Nothing uses it any more."""
        if len(self._slots[slot.size]) < KEPT:
            self._slots[slot.size].append(slot)

    def wait_for(self, event: cl.Event) -> None:
        """Waits for what was flushed, and raises what went wrong."""
        if self.threads > 1:
            _look_for(event)
        event.wait()

    def kept_bytes(self, nbytes: int) -> NDArray[np.uint8]:
        """Page-locked memory, its contents arbitrary: of a slot, to which it returns with the last view of it.

        More than a slot is locked anew.
        """
        if nbytes > SLOT:
            return locked_bytes(nbytes, self._context, self._device)
        slot = self.take_slot()
        lent = Lent(slot.host[:nbytes], self._context)
        finalize(lent, self.give_slot, slot)
        return np.asarray(lent)

    def finish(self) -> None:
        """Waits for everything, whatever became of it: the memory is used for something else then."""
        for queue in (self.sending, self.computing, self.fetching):
            with suppress(cl.Error):
                queue.finish()

    def carry_in(self, buffer: cl.Buffer, array: NDArray[Any], how: Fit) -> None:
        """Copies the entries of an array to a buffer, in the layout of `how`, and waits."""
        self._carry(buffer, list(blocks(array, how, self._context)), self._send)

    def carry_out(self, array: NDArray[Any], buffer: cl.Buffer, how: Fit) -> None:
        """Copies entries of a buffer to an array, those under the mask if there is one, and waits."""
        self._carry(buffer, list(blocks(array, how, self._context)), self._fetch)

    def carry_bytes_out(self, row: NDArray[np.uint8], buffer: cl.Buffer, start: int) -> None:
        """Copies bytes of a buffer from `start` on, and waits."""
        self._carry(buffer, list(_rows(row, start, is_direct=is_locked(row, self._context))), self._fetch)

    def _carry(self, buffer: cl.Buffer, found: "list[Block]", way: Callable[..., None]) -> None:
        use_drivers()
        needs_slot = any(not each.is_direct for each in found)

        def work(next_block: Callable[[], Block | None]) -> None:
            slot = self.take_slot() if needs_slot else None
            try:
                while (block := next_block()) is not None:
                    way(buffer, block, slot)
            except BaseException:
                self.finish()
                raise
            if slot is not None:
                self.give_slot(slot)

        with self.alone:
            share_out(work, found, max(1, min(self.threads, len(found))))

    def _send(self, buffer: cl.Buffer, block: "Block", slot: Slot | None) -> None:
        memory = block.sent(slot)
        event = cl.enqueue_copy(self.sending, buffer, memory, dst_offset=block.start, is_blocking=False)
        self.sending.flush()
        self.wait_for(event)

    def _fetch(self, buffer: cl.Buffer, block: "Block", slot: Slot | None) -> None:
        memory = block.fetched(slot)
        event = cl.enqueue_copy(self.fetching, memory, buffer, src_offset=block.start, is_blocking=False)
        self.fetching.flush()
        self.wait_for(event)
        block.drain(slot)


_BUSES: dict[tuple[cl.Context, cl.Device], Bus] = {}
_MAKING = Lock()
atexit.register(_BUSES.clear)  # before the modules of drivers go


def bus_of(context: cl.Context, device: cl.Device) -> Bus:
    """The bus of a device, made once."""
    found = _BUSES.get((context, device))
    if found is None:
        with _MAKING:
            found = _BUSES.get((context, device)) or _BUSES.setdefault((context, device), Bus(context, device))
    return found


# -- blocks of an array ------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class Block:
    """A part of an array, and the bytes of the device's memory where its entries lie with these strides (bytes)."""

    host: NDArray[Any]
    start: int
    nbytes: int
    strides: tuple[int, ...]
    mask: NDArray[np.bool_] | None
    is_direct: bool
    has_gaps: bool

    def sent(self, slot: Slot | None) -> NDArray[Any]:
        """The memory to send: that of the array, or page-locked memory with its entries, zero between them."""
        if slot is None or self.is_direct:
            return self.host
        memory = slot.host[: self.nbytes]
        if self.has_gaps:
            memory[...] = 0
        copy_in(self._lying(memory), self.host, self.mask)
        return memory

    def fetched(self, slot: Slot | None) -> NDArray[Any]:
        """The memory to bring results to; `drain` takes them from there."""
        return self.host if slot is None or self.is_direct else slot.host[: self.nbytes]

    def drain(self, slot: Slot | None) -> None:
        """The results are in the array."""
        if slot is not None and not self.is_direct:
            copy_back(self.host, self._lying(slot.host), self.mask)

    def _lying(self, memory: NDArray[np.uint8]) -> NDArray[Any]:
        return np.ndarray(self.host.shape, self.host.dtype, buffer=memory.data, strides=self.strides)


def blocks(array: NDArray[Any], how: Fit, context: cl.Context) -> Iterator[Block]:
    """All entries of an array in blocks of at most `SLOT` bytes; those of page-locked memory may be larger."""
    itemsize = array.itemsize
    if array.size == 0:
        return
    if how.is_in_place and how.row is not None:
        yield from _rows(flat(array, how), 0, is_direct=is_locked(array, context))
        return
    axes = how.layout.axes
    mask = None if how.mask is None else np.broadcast_to(how.mask, array.shape).transpose(axes)
    lying = array.transpose(axes)  # as the memory of the device: the fastest mode is first
    for key, first in _parts(how.layout, SLOT // itemsize):
        host = lying[key]
        strides = tuple(stride for stride, each in zip(how.layout.strides, key, strict=True) if isinstance(each, slice))
        reach = 1 + sum((size - 1) * stride for size, stride in zip(host.shape, strides, strict=True))
        yield Block(
            host,
            first * itemsize,
            reach * itemsize,
            tuple(stride * itemsize for stride in strides),
            None if mask is None else mask[key],
            is_direct=False,
            has_gaps=reach > host.size,
        )


def _rows(row: NDArray[Any], start: int, *, is_direct: bool) -> Iterator[Block]:
    """Entries without gaps, which lie in the same way from `start` on."""
    count = row.size if is_direct else SLOT // row.itemsize
    for first in range(0, row.size, max(1, count)):
        part, place = row[first : first + count], start + first * row.itemsize
        yield Block(part, place, part.nbytes, part.strides, None, is_direct=is_direct, has_gaps=False)


class Cut:
    """An array that goes to a device part by part of its batch, its first axis; as a whole if it has none."""

    def __init__(self, value: HostArray, context: cl.Context) -> None:
        self.value, self._context = value, context
        self._fits: dict[int, Fit] = {} if value.batch is None else {value.batch: value.fit}
        row = value.fit.row if value.fit.is_in_place else None
        is_dense = row is not None and (value.batch is None or row[0] == 0)  # elements one behind the other
        self._row = flat(value.array, value.fit) if is_dense and value.array.size else None
        self._is_direct = is_locked(value.array, context)

    def part(self, start: int, stop: int) -> Block | None:
        """Elements from `start` on; None if they have no entries. Memory for them must not be smaller than a slot."""
        if self.value.batch is None:
            return next(blocks(self.value.array, self.value.fit, self._context), None)
        if self._row is None:
            return next(blocks(self.value.array[start:stop], self.fit_of(stop - start), self._context), None)
        size = self._row.size // self.value.batch
        row = self._row[start * size : stop * size]
        return Block(row, 0, row.nbytes, row.strides, None, is_direct=self._is_direct, has_gaps=False)

    def fit_of(self, count: int) -> Fit:
        """How parts of so many elements lie on the device."""
        if self.value.batch is None:
            return self.value.fit
        if count not in self._fits:
            part = self.value.array[:count]
            self._fits[count] = host_array(self.value.parameter, part, allow_gaps=False).fit
        return self._fits[count]


def goes_straight(array: NDArray[Any], how: Fit, context: cl.Context) -> bool:
    """True if the device copies the memory of an array itself: its pages stay, and its entries lie as they shall."""
    return how.is_in_place and how.row is not None and is_locked(array, context)


Key = tuple[int | slice, ...]


def _parts(layout: Layout, most: int) -> Iterator[tuple[Key, int]]:
    """What to take of each mode for parts that reach over at most so many entries, and the first entry of each."""
    inner, reach = 0, 1
    for size, stride in zip(layout.shape, layout.strides, strict=True):
        if reach + (size - 1) * stride > most:
            break
        inner, reach = inner + 1, reach + (size - 1) * stride
    whole = (slice(None),) * inner
    if inner == len(layout.shape):
        yield whole, 0
        return
    size, stride = layout.shape[inner], layout.strides[inner]
    run = max(1, (most - reach) // stride + 1)
    outer = layout.shape[inner + 1 :]
    for places in product(*map(range, reversed(outer))):
        fixed = places[::-1]
        start = sum(place * step for place, step in zip(fixed, layout.strides[inner + 1 :], strict=True))
        for first in range(0, size, run):
            yield (*whole, slice(first, first + run), *fixed), start + first * stride
