"""The chunks of a run before it begins: how many elements each has, where they lie, and why they are no larger."""

import os
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from einsum_front.chunked.call import Call, Stream
from einsum_front.chunked.work import Range, gaps
from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic, raise_any
from einsum_front.core.words import counted, kind_of
from einsum_front.runtime import SLOT, Device, DeviceFacts, copiers, find_device

# -- options of a run in chunks, and what is wrong with them -----------------------------------------------------------

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}

Progress = bool | Callable[[int, int], None]
"""True for a bar on the terminal; a function is called with the elements that are finished, and all."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller wants; None where that is left to us. `memory` is in bytes, `chunk` in elements.

    `shape` is that of an element if the caller gave one with the chunk.
    """

    memory: int | None = None
    chunk: int | None = None
    shape: tuple[int, ...] | None = None
    devices: tuple[Device, ...] | None = None
    progress: Progress = False
    journal: Path | None = None


def read_options(
    memory: object = None,
    chunk: object = None,
    devices: object = None,
    progress: object = False,
    journal: object = None,
) -> Options:
    """Raises CompileError with all that is wrong: E0523, E0521 for chunks that are no whole elements."""
    mistakes: list[Diagnostic] = []
    count, shape = _chunk(chunk, mistakes)
    if not isinstance(progress, bool) and not callable(progress):
        mistakes.append(_wrong("progress", progress, "True, False or a function of two numbers"))
    if journal is not None and not isinstance(journal, str | os.PathLike):
        mistakes.append(_wrong("journal", journal, "the path of a file"))
    names = _names(devices, mistakes)
    size = _memory(memory, mistakes)
    raise_any(mistakes)
    found = None if names is None else tuple(map(find_device, names))
    path = Path(journal) if isinstance(journal, str | os.PathLike) else None
    return Options(size, count, shape, found, progress if callable(progress) else bool(progress), path)


def _memory(value: object, mistakes: list[Diagnostic]) -> int | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", value)
        if found is not None and found[2].upper() in UNITS and (size := int(float(found[1]) * UNITS[found[2].upper()])):
            return size
    mistakes.append(_wrong("memory", value, 'a number of bytes, or a text such as "512 MB"'))
    return None


def _chunk(value: object, mistakes: list[Diagnostic]) -> tuple[int | None, tuple[int, ...] | None]:
    first, *rest = value if isinstance(value, tuple) and value else (value,)
    if first is None and not rest:
        return None, None
    if not all(isinstance(each, int) and not isinstance(each, bool) and each > 0 for each in (first, *rest)):
        note = "a chunk is a number of elements, or a shape whose first size is that"
        mistakes.append(Diagnostic("E0521", f"`chunk` is {value!r}, expected whole elements", notes=(note,)))
        return None, None
    return int(first), tuple(rest) if isinstance(value, tuple) else None


def _names(devices: object, mistakes: list[Diagnostic]) -> Sequence[str | int] | None:
    if devices is None:
        return None
    if isinstance(devices, list | tuple) and devices and all(isinstance(each, str | int) for each in devices):
        return devices
    mistakes.append(_wrong("devices", devices, 'a list of devices such as `["gpu:0", "gpu:1"]`'))
    return None


def _wrong(name: str, value: object, expected: str) -> Diagnostic:
    found = repr(value) if isinstance(value, str | int | float | list | tuple) else kind_of(value)
    return Diagnostic("E0523", f"`{name}` is {found}, expected {expected}")


DEFAULT_MEMORY = 2**28
"""Bytes for all buffers if the caller says nothing: larger chunks are not faster."""

FEW_BYTES = 2**22
"""Bytes of a chunk, at least, where a batch is cut into more chunks than it must be."""

MANY = 16
"""Chunks, at least, of a large batch: while the first is read and the last is written, nothing overlaps."""

FEW, MUCH = 2, 2**31
"""Chunks for each device where a call of the kernel takes them, and their bytes at most: it cuts them again."""

VECTORS = 64
"""Elements: chunks are multiples of so many work-groups, so that vectors over elements are full."""


@dataclass(frozen=True, slots=True)
class Lane:
    """A device with its sets of buffers; `most` is the largest chunk in elements, `why` what limits it.

    `is_straight`: calls of the kernel take chunks of the caller's arrays, and there are no buffers.
    """

    device: Device
    sets: int
    most: int
    why: str
    is_straight: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """An argument that is cut: name, what happens to it, type, shape of an element, bytes of one, where it lies."""

    name: str
    access: str
    text: str
    nbytes: int
    place: str


@dataclass(frozen=True, slots=True)
class ChunkPlan:
    """The chunks of a run; print it. `finished` elements are done already, says the journal.

    `chunks` are those of one device; several devices take chunks up to their size, as fast as they are.
    """

    kernel: str
    batch: int
    finished: int
    unit: int
    element_bytes: int
    memory: int
    lanes: tuple[Lane, ...]
    rows: tuple[Row, ...]
    left: tuple[Range, ...]

    @property
    def elements(self) -> int:
        """Elements of the largest chunk."""
        return max(lane.most for lane in self.lanes)

    @property
    def chunks(self) -> Iterator[Range]:
        """The first and last element (not included) of each chunk, if one device does all of them."""
        for start, stop in self.left:
            for first in range(start, stop, self.elements):
                yield first, min(first + self.elements, stop)

    @property
    def count(self) -> int:
        """Number of `chunks`."""
        return sum(-(-(stop - start) // self.elements) for start, stop in self.left)

    @property
    def buffers(self) -> int:
        """Bytes of all sets of buffers."""
        return sum(lane.sets * lane.most for lane in self.lanes if not lane.is_straight) * self.element_bytes

    def __str__(self) -> str:
        done = f", {self.finished:,} finished already" if self.finished else ""
        lines = [f"{self.kernel}: {counted(self.batch, 'element').replace(str(self.batch), f'{self.batch:,}')}{done}"]
        for lane in self.lanes:
            chunks = f"chunks of {lane.most:,} elements ({_size(lane.most * self.element_bytes)}), {lane.why}"
            sets = f"{lane.sets} at a time" if lane.is_straight else f"{lane.sets} sets of buffers"
            lines.append(f"  {lane.device.facts.name}: {sets}, {chunks}")
        if len(self.lanes) == 1:
            lines.append(f"  {counted(self.count, 'chunk')}")
        else:
            lines.append("  the devices share the batch by their measured speed")
        if self.memory:
            lines.append(f"  memory for buffers: {_size(self.buffers)} of {_size(self.memory)}")
        widths = [max(len(getattr(row, name)) for row in self.rows) for name in ("name", "access", "text")]
        for row in self.rows:
            words = f"{row.name:{widths[0]}}  {row.access:{widths[1]}}  {row.text:{widths[2]}}"
            lines.append(f"  {words}  {row.nbytes:,} B an element  {row.place}")
        return "\n".join(lines)


def plan_chunks(
    call: Call,
    options: Options,
    devices: Sequence[Device],
    finished: Sequence[Range] = (),
    *,
    keeps_results: bool = False,
) -> ChunkPlan:
    """Raises CompileError if the memory holds no element (E0522), or if the chunk has another shape (E0521).

    `keeps_results`: those of a chunk go to whoever asks for them, and not to the arrays.
    """
    _check_shape(call, options)
    memory = options.memory or min([DEFAULT_MEMORY, *(device.facts.global_memory // 4 for device in devices)])
    is_straight = options.memory is None and not keeps_results and all(each.is_straight for each in call.streams)
    if is_straight and not any(device.facts.shares_host_memory for device in devices):
        return _straight_plan(call, options, devices)
    sets = [_sets(call, options, device.facts, memory // len(devices)) for device in devices]
    room = memory // sum(sets) // max(1, call.nbytes)
    if room == 0:
        least = sum(sets) * call.nbytes
        note = f"{sum(sets)} sets of buffers, in turn read, computed and written, with {call.nbytes:,} bytes an element"
        message = f"one element of `{call.artifact.name}` needs {least:,} bytes, and `memory` allows {memory:,}"
        raise CompileError([Diagnostic("E0522", message, notes=(note,))])
    unit = _unit(call, room)
    lanes = [_lane(call, options, (device, count, room), unit) for device, count in zip(devices, sets, strict=True)]
    rows = tuple(map(_row, call.streams))
    left = tuple(gaps(call.batch, finished))
    done = call.batch - sum(stop - start for start, stop in left)
    return ChunkPlan(call.artifact.name, call.batch, done, unit, call.nbytes, memory, tuple(lanes), rows, left)


def _straight_plan(call: Call, options: Options, devices: Sequence[Device]) -> ChunkPlan:
    """Calls of the kernel, two at a time: while one ends, the other goes on. Copies have threads of their own."""
    unit = VECTORS * call.artifact.elements_per_group
    part = min(-(-call.batch // (FEW * len(devices))), MUCH // max(1, call.nbytes))
    most = options.chunk or -(-part // unit) * unit
    why = "as asked for" if options.chunk else "through page-locked memory that is kept"
    lanes = tuple(Lane(device, 2, max(1, most), why, is_straight=True) for device in devices)
    rows = tuple(map(_row, call.streams))
    return ChunkPlan(call.artifact.name, call.batch, 0, unit, call.nbytes, 0, lanes, rows, tuple(gaps(call.batch, ())))


def _sets(call: Call, options: Options, facts: DeviceFacts, memory: int) -> int:
    """How many sets of buffers: beside a device with its own memory each has a thread, and threads share the copies."""
    if facts.shares_host_memory:
        return 2
    return max(3, min(copiers(), memory // max(1, call.nbytes * (options.chunk or _copied(call)))))


def _copied(call: Call) -> int:
    """Elements that a thread copies to a device at a time."""
    return max(1, SLOT // max(1, *(stream.nbytes for stream in call.streams)))


def _row(stream: Stream) -> Row:
    does = [*["read"] * stream.is_read, *["written"] * (stream.target is not None)]
    places = [each.kind for each in dict.fromkeys((stream.source, stream.target)) if each is not None]
    text = f"{stream.parameter.type} {stream.shape}"
    return Row(stream.name, ", ".join(does), text, stream.nbytes, " to ".join(places))


def _lane(call: Call, options: Options, place: tuple[Device, int, int], unit: int) -> Lane:
    device, sets, room = place
    limits = [(room, "as the memory allows"), *_device_limits(call, device.facts, sets)]
    if options.chunk is not None:
        limits.append((options.chunk, "as asked for"))
    else:
        parts = max(-(-call.batch // MANY), FEW_BYTES // max(1, call.nbytes), 1)
        limits.append((-(-parts // unit) * unit, "so that copies and kernels overlap"))
        if not device.facts.shares_host_memory:
            limits.append((max(unit, _copied(call) // unit * unit), "so that threads share the copies"))
    most, why = min(limits)
    if options.chunk is None and most > unit:
        most = most // unit * unit
    if most == 0:
        message = f"`{device.facts.name}` has no memory for one element of the batch, in {sets} sets of buffers"
        raise CompileError([Diagnostic("E0522", message)])
    return Lane(device, sets, most, why)


def _device_limits(call: Call, facts: DeviceFacts, sets: int) -> Iterator[tuple[int, str]]:
    largest = max(stream.nbytes for stream in call.streams)
    yield facts.max_allocation // max(1, largest), "as the device allocates at once"
    if not facts.shares_host_memory:
        yield facts.global_memory // 2 // sets // max(1, call.nbytes), "as the memory of the device allows"
    if facts.driver.max_groups is not None:
        yield facts.driver.max_groups * call.artifact.elements_per_group, "as a launch allows"


def _unit(call: Call, room: int) -> int:
    """Chunks are multiples of it: the blocks of data sets, and full vectors, as far as there is room."""
    block = max(store.block for stream in call.streams for store in (stream.source, stream.target or stream.source))
    group = call.artifact.elements_per_group
    sizes = (block if block > 1 else 0, VECTORS * group, group)
    return next((size for size in sizes if 0 < size <= room), 1)


def _check_shape(call: Call, options: Options) -> None:
    """A chunk that is given as a shape must have whole elements."""
    if options.shape is None or any(options.shape == stream.shape for stream in call.streams):
        return
    stream = call.streams[0]
    message = f"`chunk` has shape {(options.chunk, *options.shape)}, which cuts elements of shape {stream.shape}"
    raise CompileError([Diagnostic("E0521", message, notes=("a chunk is a number of elements along the batch",))])


def _size(count: int) -> str:
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.1f} {unit}"
    return f"{count} B"
