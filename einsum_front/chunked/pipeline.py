"""A batch in chunks: read, computed and written at the same time, on one device or several.

A device has sets of buffers, each with a queue and a thread. A thread reads a chunk, runs the kernel on it, writes the
results, and takes the next one. While one set is with the device, the others are with the files. A processor computes
one chunk at a time: two that share it would only end later. A device with its own memory takes them as they come, small
ones of many threads, which share the copies.
"""

import time
import warnings
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from queue import Empty, Queue
from threading import Event, Lock, Thread
from typing import Any

import numpy as np

from einsum_front.chunked.call import Call
from einsum_front.chunked.journal import Journal, checksum
from einsum_front.chunked.plan import ChunkPlan, Lane
from einsum_front.chunked.stores import Array
from einsum_front.chunked.work import Range, Work, Worker, joined
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.words import counted, listed
from einsum_front.runtime import Kernel, Launch, staging_array

MEMORY_WORDS = ("MEM_OBJECT_ALLOCATION_FAILURE", "OUT_OF_HOST_MEMORY", "OUT_OF_RESOURCES")
"""What drivers say of a chunk that is too large for them."""


class DeviceWarning(RuntimeWarning):
    """A device has failed in the middle of a batch, and another one does what it has left."""


@dataclass(frozen=True, slots=True, eq=False)
class Chunk:
    """Elements `start` to `stop` (not included) with their results, by argument.

    The arrays are views of buffers: they are there until the next chunk is asked for.
    """

    start: int
    stop: int
    results: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.results[name]


@dataclass(slots=True)
class Share:
    """What a device has done: elements, chunks, and seconds of its sets of buffers with each kind of work."""

    device: str
    elements: int = 0
    chunks: int = 0
    reading: float = 0.0
    kernels: float = 0.0
    writing: float = 0.0


@dataclass(frozen=True, slots=True)
class Report:
    """What a run has done, in seconds; `finished` elements were done by runs before it."""

    elements: int
    finished: int
    seconds: float
    shares: tuple[Share, ...]

    def __str__(self) -> str:
        rate = self.elements / self.seconds if self.seconds else 0.0
        lines = [f"{self.elements:,} elements in {self.seconds:.3g} s, {rate:,.0f} a second"]
        for share in self.shares:
            seconds = f"read {share.reading:.3g} s, kernels {share.kernels:.3g} s, written {share.writing:.3g} s"
            lines.append(
                f"  {share.device}: {share.elements:,} elements in {counted(share.chunks, 'chunk')}, {seconds}"
            )
        return "\n".join(lines)


class _Set:
    """A set of buffers with a kernel on a queue of its own; `computing` is locked while a processor computes.

    `straight` are the caller's arrays where a call of the kernel takes them, without buffers.
    """

    def __init__(
        self,
        call: Call,
        lane: Lane,
        kernel: Kernel,
        whole: Mapping[str, object],
        computing: Lock,
        straight: Mapping[str, Array],
    ) -> None:
        self._call, self._lane, self._kernel, self._whole, self._computing = call, lane, kernel, whole, computing
        self.straight = straight
        self._size = 0
        self._buffers: dict[str, Array] = {}
        self._launch: tuple[int, Launch] | None = None

    def buffers(self, start: int, stop: int, most: int) -> dict[str, Array]:
        """Arrays for these elements; raises CompileError if there is no memory for `most`."""
        count = stop - start
        if self._size < count or self._size > most:
            self._launch, self._buffers, self._size = None, {}, 0
            size = max(count, min(most, self._call.batch))
            for stream in (each for each in self._call.streams if each.name not in self.straight):
                array = staging_array(stream.parameter, size, stream.shape, self._lane.device)
                self._buffers[stream.name] = array
            self._size = size
        views = {name: array[:count] for name, array in self._buffers.items()}
        return views | {name: array[start:stop] for name, array in self.straight.items()}

    def compute(self, views: Mapping[str, Array], count: int) -> float:
        """Runs the kernel on what is in the buffers, and waits; the seconds that the device was busy with it."""
        if not self._lane.device.facts.shares_host_memory:  # it takes chunks of all threads as they come
            return _timed(lambda: self._kernel(**self._whole, **views))
        if self._launch is None or self._launch[0] != count:
            self._launch = None
            self._launch = count, self._kernel.prepare(**self._whole, **views)
        launch = self._launch[1]
        with self._computing:
            return _timed(launch.run, launch.finish)


def _timed(*steps: Callable[[], object]) -> float:
    """One after the other; the seconds that they took."""
    began = time.perf_counter()
    for step in steps:
        step()
    return time.perf_counter() - began


class Run:
    """One run over a batch; `make` gives the kernel for a device and a queue of it."""

    def __init__(
        self,
        call: Call,
        plan: ChunkPlan,
        make: Callable[[Lane], Kernel],
        journal: Journal | None = None,
        progress: Callable[[int, int], None] | None = None,
    ) -> None:
        self._call, self._plan, self._journal, self._progress = call, plan, journal, progress
        self._make = make
        self._work = Work(deque(plan.left), plan.unit, [Worker(lane.most) for lane in plan.lanes])
        self._shares = tuple(Share(lane.device.facts.name) for lane in plan.lanes)
        self._failures: list[BaseException] = []
        self._lost: list[tuple[str, Range, str]] = []
        self._telling, self._writing = Lock(), Lock()
        self._chunks: Queue[tuple[Chunk, Event]] | None = None
        self._done = plan.finished

    def finish(self) -> Report:
        """Does all that is left; raises what went wrong, with what is finished on the disk if there is a journal."""
        began = time.perf_counter()
        threads = self._start()
        try:
            for thread in threads:
                while thread.is_alive():
                    thread.join(0.5)  # an interrupt is heard in between
        finally:
            self._end(threads)
        self._raise()
        return Report(self._done - self._plan.finished, self._plan.finished, time.perf_counter() - began, self._shares)

    def chunks(self) -> Iterator[Chunk]:
        """The chunks as they end, which need not be their order."""
        chunks: Queue[tuple[Chunk, Event]] = Queue()
        self._chunks = chunks
        threads = self._start()
        try:
            while any(thread.is_alive() for thread in threads) or not chunks.empty():
                with suppress(Empty):
                    chunk, is_seen = chunks.get(timeout=0.05)
                    try:
                        yield chunk
                    finally:
                        is_seen.set()
        finally:
            self._chunks = None
            self._work.stop()
            while any(thread.is_alive() for thread in threads):
                with suppress(Empty):
                    chunks.get(timeout=0.05)[1].set()
            self._end(threads)
        self._raise()

    def _start(self) -> list[Thread]:
        """A thread for each set of buffers; kernels are built before anything is timed."""
        sets: list[tuple[int, _Set]] = []
        for number, lane in enumerate(self._plan.lanes):
            computing, first = Lock(), self._make(lane)
            straight = {}
            if lane.is_straight:
                straight = {each.name: np.asarray(each.source.data) for each in self._call.streams}
            whole = {name: self._constant(lane, first, name, each) for name, each in self._call.whole.items()}
            for place in range(lane.sets):
                is_other = place > 0 and lane.device.facts.shares_host_memory  # else copies have queues of their own
                kernel = self._make(lane) if is_other else first
                sets.append((number, _Set(self._call, lane, kernel, whole, computing, straight)))
        threads = [
            Thread(
                target=self._serve, args=(place, number, each), name=f"{self._call.artifact.name}-{place}", daemon=True
            )
            for place, (number, each) in enumerate(sets)
        ]
        for thread in threads:
            thread.start()
        return threads

    def _constant(self, lane: Lane, kernel: Kernel, name: str, value: object) -> object:
        """A constant goes to a device with its own memory once; all sets of buffers share it."""
        is_array = hasattr(value, "shape") and getattr(value, "shape", ()) != ()
        return kernel.to_device(name, value) if is_array and not lane.device.facts.shares_host_memory else value

    def _end(self, threads: list[Thread]) -> None:
        """Chunks that were begun are finished: their results are whole, and in the journal."""
        self._work.stop()
        for thread in threads:
            thread.join()

    def _serve(self, place: int, number: int, buffers: _Set) -> None:
        """One thread: chunk by chunk until nothing is left."""
        last = time.perf_counter()
        try:
            while (part := self._work.take(number)) is not None:
                if self._chunk(place, number, buffers, part):
                    now = time.perf_counter()
                    self._work.done(number, part[1] - part[0], (now - last) / self._plan.lanes[number].sets)
                    last = now
        except BaseException as error:  # goes on in the thread of the caller
            self._failures.append(error)
            self._work.stop()

    def _chunk(self, place: int, number: int, buffers: _Set, part: Range) -> bool:
        """Reads, computes and writes; False if another set of buffers has to."""
        start, stop = part
        share = self._shares[number]
        times = [time.perf_counter()]
        try:
            views = buffers.buffers(start, stop, self._work.workers[number].most)
            self._read(part, {name: each for name, each in views.items() if name not in buffers.straight})
            times.append(time.perf_counter())
            busy = buffers.compute(views, stop - start)
        except (CompileError, MemoryError) as error:
            if not self._goes_on(number, part, error):
                raise
            return False
        times.append(time.perf_counter())
        self._write(place, part, views, buffers.straight)
        times.append(time.perf_counter())
        with self._telling:
            share.elements += stop - start
            share.chunks += 1
            share.reading += times[1] - times[0]
            share.kernels += busy
            share.writing += times[3] - times[2]
            self._done += stop - start
            if self._progress is not None:
                self._progress(self._done, self._plan.batch)
        return True

    def _read(self, part: Range, views: Mapping[str, Array]) -> None:
        for stream in self._call.streams:
            if stream.is_read and stream.name in views:
                with _files(
                    "E0630", f"elements {part[0]} to {part[1]} of argument `{stream.name}` cannot be read", self
                ):
                    stream.source.read(*part, views[stream.name])

    def _write(self, place: int, part: Range, views: Mapping[str, Array], straight: Mapping[str, Array]) -> None:
        """Results to where they belong; with a journal, the disk has them when this returns."""
        written = self._call.written
        if self._chunks is not None:
            is_seen = Event()
            self._chunks.put((Chunk(*part, {each.name: views[each.name] for each in written}), is_seen))
            is_seen.wait()
            return
        in_place = {each.name: views[each.name] for each in written if each.is_in_place}
        if self._journal is not None and in_place:
            self._journal.save(place, *part, in_place)
        for stream in (each for each in written if each.name not in straight):
            self.put(stream.name, part, views[stream.name])
        if self._journal is not None:
            self._journal.finish(*part, checksum([views[each.name] for each in written]))

    def put(self, name: str, part: Range, results: Array) -> None:
        """Writes results of an argument, and makes sure that the disk has them if there is a journal."""
        stream = next(each for each in self._call.written if each.name == name)
        target = stream.target or stream.source
        with _files("E0629", f"elements {part[0]} to {part[1]} of argument `{name}` cannot be written", self):
            guard: AbstractContextManager[Any] = nullcontext() if target.is_array else self._writing
            with guard:
                target.write(*part, results)
                if self._journal is not None:
                    target.sync()

    @property
    def advice(self) -> str:
        """What is lost if the run ends here."""
        if self._journal is not None:
            return f"finished chunks are in the journal `{self._journal.path}`: the same call goes on behind them"
        return "chunks that were finished before are in their place"

    def _goes_on(self, number: int, part: Range, error: BaseException) -> bool:
        """True if the chunk is left to others, or to this device in halves."""
        codes = [each.code for each in error.diagnostics] if isinstance(error, CompileError) else []
        words = error.diagnostics[0].message if isinstance(error, CompileError) else "no memory"
        is_memory = isinstance(error, MemoryError) or bool({"E0607", "E0516"} & set(codes))
        if is_memory or ("E0608" in codes and any(word in words for word in MEMORY_WORDS)):
            if self._work.halve(number, part):
                return True
        elif not {"E0601", "E0608"} & set(codes):
            return False
        name = self._plan.lanes[number].device.facts.name
        self._lost.append((name, part, words))
        others = self._work.lose(number, part)
        if others:
            text = f"`{name}` has failed at elements {part[0]} to {part[1]}, which another device computes: {words}"
            warnings.warn(text, DeviceWarning, stacklevel=2)
        return True

    def _raise(self) -> None:
        if self._failures:
            raise self._failures[0]
        left = self._work.left()
        if left:
            count = sum(stop - start for start, stop in left)
            lost = [f"`{name}` at elements {start} to {stop}: {words}" for name, (start, stop), words in self._lost]
            ranges = [f"{start} to {stop}" for start, stop in joined(left)]
            names = listed(dict.fromkeys(f"`{name}`" for name, _, _ in self._lost))
            message = f"{names} failed, and {counted(count, 'element')} are left: {listed(ranges[:8])}"
            raise CompileError([Diagnostic("E0628", message, notes=(*lost[:8], self.advice))])


@contextmanager
def _files(code: str, what: str, run: Run) -> Iterator[None]:
    """Whatever a data set raises becomes an error of ours, with its words; errors of ours get the advice."""
    try:
        yield
    except CompileError:
        raise
    except MemoryError:
        raise
    except Exception as error:
        said = error.strerror if isinstance(error, OSError) and error.strerror else str(error) or type(error).__name__
        first = said.splitlines()[0]
        raise CompileError([Diagnostic(code, f"{what}: {first[:1].lower()}{first[1:]}", notes=(run.advice,))]) from None
