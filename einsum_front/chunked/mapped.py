"""Mapped files as files: calls of the system that read and write take no resident memory, and fail with words.

A page of a mapping that is touched counts as memory of the process, and one that finds no room on the disk ends it. So
an array over a shared mapping is read by `pread` and written by `pwrite`; both see what the mapping sees. Where that is
not possible (another order of axes, gaps, systems without `/proc`), the mapping is used, and its pages are given back.
"""

import mmap
import os
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.runtime import byte_range

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
