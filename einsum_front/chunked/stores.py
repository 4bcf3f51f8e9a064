"""Batches that are read and written in chunks: arrays of NumPy, mapped files, data sets of zarr, h5py and the like."""

import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field
from math import prod
from typing import Any, Protocol, TypeGuard, cast

import numpy as np
from numpy.typing import NDArray

from einsum_front.chunked.mapped import MappedFile, forget, mapped_file, mapping_of
from einsum_front.core.dataclass import dataclass

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
