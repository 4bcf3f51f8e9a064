"""Batches that are read and written in chunks: arrays of NumPy, mapped files, data sets of zarr, h5py and the like."""

import mmap
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from math import prod
from pathlib import Path
from typing import Any, Protocol, TypeGuard, cast

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime import byte_range

# -- mapped files as files ---------------------------------------------------------------------------------------------
# Calls of the system that read and write take no resident memory, and fail with words. A page of a mapping that is
# touched counts as memory of the process, and one that finds no room on the disk ends it. So an array over a shared
# mapping is read by `pread` and written by `pwrite`; both see what the mapping sees. Where that is not possible
# (another order of axes, gaps, systems without `/proc`), the mapping is used, and its pages are given back.

MAPS = Path("/proc/self/maps")


@dataclass(frozen=True, slots=True)
class MappedFile:
    """The file behind an array, which is open as `descriptor`; `start` is where the array begins, in bytes.

    `distance` are the bytes from one element to the next, `strides` those within an element.
    """

    path: str
    descriptor: int
    start: int
    distance: int
    strides: tuple[int, ...]
    identity: tuple[int, int]

    def holds(self, staging: NDArray[Any]) -> bool:
        """True if elements lie in the memory for staging byte by byte as in the file."""
        pairs = zip(staging.shape[1:], staging.strides[1:], self.strides, strict=True)
        return staging.strides[0] == self.distance and all(one == two for size, one, two in pairs if size > 1)

    def read(self, first: int, staging: NDArray[Any]) -> None:
        """Fills memory with elements from `first` on; raises `OSError`."""
        rest, place = _bytes(staging, self.distance).data, self.start + first * self.distance
        while rest:
            count = os.preadv(self.descriptor, [rest], place)
            if count == 0:
                raise OSError(0, "the file has become shorter")
            rest, place = rest[count:], place + count

    def write(self, first: int, staging: NDArray[Any]) -> None:
        """Writes elements from `first` on; raises `OSError`, with nothing changed if there is no room."""
        rest, place = _bytes(staging, self.distance).data, self.start + first * self.distance
        self.reserve(first, len(staging))
        while rest:
            count = os.pwritev(self.descriptor, [rest], place)
            rest, place = rest[count:], place + count

    def reserve(self, first: int, count: int) -> None:
        """Makes sure that there is room on the disk for so many elements from `first` on."""
        os.posix_fallocate(self.descriptor, self.start + first * self.distance, count * self.distance)

    def sync(self) -> None:
        """Waits until the disk has what was written."""
        os.fdatasync(self.descriptor)


def mapped_file(array: NDArray[Any], *, is_written: bool) -> MappedFile | None:
    """The file that an array maps, if its elements lie there one behind the other without gaps; None for others."""
    if mapping_of(array) is None or array.size == 0 or not _is_dense(array):
        return None
    address = array.ctypes.data
    with suppress(OSError, ValueError, IndexError):
        for line in MAPS.read_text(encoding="utf-8", errors="surrogateescape").splitlines():
            extent, access, offset, device, inode, *path = line.split(maxsplit=5)
            first, last = (int(word, 16) for word in extent.split("-"))
            if first <= address < last:
                if access[3] != "s" or not path:
                    return None
                return _opened(path[0], (device, int(inode)), int(offset, 16) + address - first, array, is_written)
    return None


def _opened(
    path: str, identity: tuple[str, int], start: int, array: NDArray[Any], is_written: bool
) -> MappedFile | None:
    """None if another file has the path by now."""
    descriptor = os.open(path, os.O_RDWR if is_written else os.O_RDONLY)
    status = os.fstat(descriptor)
    found = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}", status.st_ino
    end = start + len(array) * array.strides[0]
    if found != identity or status.st_size < end:
        os.close(descriptor)
        return None
    return MappedFile(path, descriptor, start, array.strides[0], array.strides[1:], (status.st_dev, status.st_ino))


def mapping_of(array: object) -> mmap.mmap | None:
    """The mapping of a file that an array is a view of, if what is written there goes to the file."""
    mode = "c"
    while isinstance(array, np.ndarray):
        mode = getattr(array, "mode", mode)
        array = array.base
    return array if isinstance(array, mmap.mmap) and mode != "c" else None


def forget(array: NDArray[Any]) -> None:
    """Gives the pages of a part of a shared mapping back; what was written stays with the file."""
    mapping = mapping_of(array)
    if mapping is None or not array.size or not hasattr(mapping, "madvise"):
        return
    begin = np.frombuffer(mapping, np.uint8).ctypes.data
    first, last = byte_range(array.ctypes.data - begin, array.shape, array.strides, array.itemsize)
    first = first // mmap.PAGESIZE * mmap.PAGESIZE
    with suppress(OSError, ValueError):
        mapping.madvise(mmap.MADV_DONTNEED, first, last - first)


def _is_dense(array: NDArray[Any]) -> bool:
    """True if elements follow each other, and the entries of each have no gaps, in whatever order of axes."""
    reach = array.itemsize
    for stride, size in sorted(zip(array.strides[1:], array.shape[1:], strict=True)):
        if size > 1 and stride != reach:
            return False
        reach *= size
    return len(array) == 1 or array.strides[0] == reach


def _bytes(staging: NDArray[Any], distance: int) -> NDArray[np.uint8]:
    """The bytes of dense elements in any order of axes, as one row: a view."""
    axes = (0, *sorted(range(1, staging.ndim), key=lambda axis: -staging.strides[axis]))
    entries = as_strided(staging.transpose(axes), (len(staging) * distance // staging.itemsize,), (staging.itemsize,))
    return entries.view(np.uint8)


Array = NDArray[Any]


class Sliceable(Protocol):
    """What is taken as a batch: a shape, an element type, and slices along the first axis."""

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of elements, then the shape of one."""

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the entries."""

    def __getitem__(self, key: slice) -> object:
        """A part of the batch, which NumPy can make an array of."""


def is_sliceable(value: object) -> TypeGuard[Sliceable]:
    """True if it has a shape, an element type of NumPy and slices.

    What an object of another library raises when it is asked means no: the `dtype` of autoray's lazy arrays is another
    lazy array, of which NumPy asks the `dtype` in turn, for ever.
    """
    try:
        np.dtype(cast("Any", value).dtype)
        return hasattr(value, "__getitem__") and isinstance(cast("Any", value).shape, tuple)
    except Exception:
        return False


def is_data_set(value: object) -> bool:
    """True for what lies outside of the memory and is read by slices: data sets of zarr and h5py say their chunks."""
    return not isinstance(value, np.ndarray) and hasattr(value, "chunks") and is_sliceable(value)


@dataclass(frozen=True, slots=True, eq=False)
class Store:
    """A batch, and the file that it maps if it is one of NumPy's that does."""

    data: Sliceable
    file: MappedFile | None = field(default=None)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of elements, then the shape of one."""
        return tuple(self.data.shape)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The type of the entries."""
        return np.dtype(self.data.dtype)

    @property
    def kind(self) -> str:
        """Where it is, for people: `q.bin`, `zarr.Array`, `numpy.ndarray`."""
        if self.file is not None:
            return f"file {os.path.basename(self.file.path)}"  # noqa: PTH119 - a text, not a path to walk
        return f"{type(self.data).__module__.partition('.')[0]}.{type(self.data).__name__}"

    @property
    def is_array(self) -> bool:
        """True for arrays of NumPy, which threads may write to at the same time."""
        return isinstance(self.data, np.ndarray)

    @property
    def outlives(self) -> bool:
        """True if what is written is there after the process has ended."""
        return not self.is_array or mapping_of(self.data) is not None

    @property
    def is_read_only(self) -> bool:
        """True if it says that it cannot be written."""
        if isinstance(self.data, np.ndarray):
            return not self.data.flags.writeable
        of_file = getattr(getattr(self.data, "file", None), "mode", None)
        return bool(getattr(self.data, "read_only", False)) or of_file == "r" or not hasattr(self.data, "__setitem__")

    @property
    def block(self) -> int:
        """Elements that the data set keeps together: chunks of that many, or of multiples, are read once."""
        chunks = getattr(self.data, "chunks", None)
        first = chunks[0] if isinstance(chunks, tuple) and chunks else 1
        return first if isinstance(first, int) and first > 0 else 1

    @property
    def passing_bytes(self) -> int:
        """Memory for each element while a chunk is read: data sets make an array of their own."""
        return 0 if self.is_array else prod(self.shape[1:]) * self.dtype.itemsize

    def read(self, start: int, stop: int, staging: Array) -> None:
        """Elements from `start` on into memory; raises what the data set raises."""
        if self.file is not None and self.file.holds(staging):
            self.file.read(start, staging)
            return
        part = np.asarray(self.data[start:stop])
        if part.shape != staging.shape:
            raise OSError(0, f"elements {start} to {stop} have shape {part.shape}, expected {staging.shape}")
        np.copyto(staging, part, casting="safe")
        forget(part)

    def write(self, start: int, stop: int, staging: Array) -> None:
        """Elements from `start` on from memory; raises what the data set raises."""
        if self.file is not None and self.file.holds(staging):
            self.file.write(start, staging)
            return
        if self.file is not None:
            self.file.reserve(start, stop - start)
        cast("Any", self.data)[start:stop] = staging
        if isinstance(self.data, np.ndarray):
            forget(self.data[start:stop])

    def sync(self) -> None:
        """Waits until the disk has what was written, as far as the data set knows."""
        if self.file is not None:
            self.file.sync()
        elif (mapping := mapping_of(self.data)) is not None:
            mapping.flush()
        else:
            flush: Callable[[], None] | None = getattr(getattr(self.data, "file", None), "flush", None)
            if callable(flush):
                flush()

    def close(self) -> None:
        """Closes the file that was opened for it."""
        if self.file is not None:
            os.close(self.file.descriptor)

    def meets(self, other: "Store") -> bool:
        """True if both are, in part, the same memory or file."""
        if self.data is other.data:
            return True
        if self.file is not None and other.file is not None and self.file.identity == other.file.identity:
            (one, two), (three, four) = self._extent(), other._extent()
            return one < four and three < two
        if isinstance(self.data, np.ndarray) and isinstance(other.data, np.ndarray):
            try:
                return np.shares_memory(self.data, other.data, max_work=10_000)  # type: ignore[arg-type] # any count
            except np.exceptions.TooHardError:
                return True
        return False

    def _extent(self) -> tuple[int, int]:
        start, distance = (0, 0) if self.file is None else (self.file.start, self.file.distance)
        return start, start + self.shape[0] * distance


def store(data: Sliceable, *, is_written: bool) -> Store:
    """The batch as a store; for mapped files, the file is opened."""
    file = None
    if isinstance(data, np.ndarray):
        with suppress(OSError):
            file = mapped_file(data, is_written=is_written and bool(data.flags.writeable))
    return Store(data, file)
