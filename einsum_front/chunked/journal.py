"""The journal of a run over files: which chunks are finished, so that another process goes on behind them.

    journal = { record LF }             with its checksum; what a crash has cut off at the end is ignored
    record  = header                    what the run is: kernel, numbers, constants, shapes and files
            | start stop checksum       a finished chunk, and the checksum of what was written for it

Order: results are written, the disk has them (`fdatasync`), then the record is written, then the disk has that. So a
finished chunk is on the disk whatever happens. A chunk that is lost is computed again, from inputs that are as
they were. If the kernel reads what it writes in place, they are not: there the results go to a file beside the journal
first, `NAME.0`, which is complete on the disk before an output changes. A process that goes on writes them once more.
"""

import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from errno import ENOSPC
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.private_folders import HAS_LOCKS

if HAS_LOCKS:
    import fcntl

Array = NDArray[Any]
Header = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Finished:
    """Elements whose results are on the disk, with the checksum of these."""

    start: int
    stop: int
    checksum: int


@dataclass(frozen=True, slots=True, eq=False)
class Saved:
    """Results that may not have come to their place, by the argument."""

    start: int
    stop: int
    results: dict[str, Array]


def checksum(arrays: Sequence[Array]) -> int:
    """CRC-32 of all entries in C order."""
    value = 0
    for array in arrays:
        value = crc32(np.ascontiguousarray(array).view(np.uint8).data if array.size else b"", value)
    return value


class Journal:
    """One journal, open and locked; `finished` is what runs before this one have done."""

    def __init__(self, path: Path, header: Header) -> None:
        """Raises CompileError: another run's (E0524), damaged (E0632), in use (E0633), or no file (E0631)."""
        self.path = path
        self._writing = Lock()
        try:
            self._file: BinaryIO = path.open("a+b")
        except OSError as error:
            raise _failure("E0631", f"the journal `{path}` cannot be written: {_said(error)}") from None
        try:
            self._lock()
            self.finished = self._read(header)
        except OSError as error:
            self._file.close()
            raise _failure("E0631", f"the journal `{path}` cannot be written: {_said(error)}") from None
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        """The journal stays, and says what is finished."""
        self._file.close()

    def finish(self, start: int, stop: int, value: int) -> None:
        """The disk has the results of these elements, with this checksum."""
        with self._writing:
            self._append([start, stop, value])

    def save(self, slot: int, start: int, stop: int, results: Mapping[str, Array]) -> None:
        """Keeps results before they go to outputs that the kernel has read."""
        about = {
            "start": start,
            "stop": stop,
            "results": [[name, list(array.shape), array.dtype.str] for name, array in results.items()],
            "checksum": checksum(list(results.values())),
        }
        path = self._saved(slot)
        new = path.with_name(f"{path.name}.new")
        try:
            with new.open("wb") as file:
                file.write(_line(about))
                for array in results.values():
                    file.write(np.ascontiguousarray(array).view(np.uint8).data)
                file.flush()
                os.fsync(file.fileno())
            new.replace(path)
            _sync_folder(path.parent)
        except OSError as error:
            new.unlink(missing_ok=True)
            raise _failure("E0631", f"results cannot be kept in `{new}`: {_said(error)}") from None

    def saved(self) -> Iterator[Saved]:
        """Results of unfinished chunks that were kept, and are complete."""
        done = {(each.start, each.stop) for each in self.finished}
        for path in sorted(self.path.parent.glob(f"{self.path.name}.[0-9]*")):
            found = _read_saved(path)
            if found is not None and (found.start, found.stop) not in done:
                yield found

    def discard_saved(self) -> None:
        """Removes results that are in their place by now."""
        for path in self.path.parent.glob(f"{self.path.name}.[0-9]*"):
            path.unlink(missing_ok=True)

    def _saved(self, slot: int) -> Path:
        return self.path.with_name(f"{self.path.name}.{slot}")

    def _lock(self) -> None:
        if not HAS_LOCKS:
            return
        try:
            fcntl.flock(self._file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise _failure("E0633", f"the journal `{self.path}` is in use by another process") from None

    def _read(self, header: Header) -> tuple[Finished, ...]:
        self._file.seek(0)
        text = self._file.read()
        whole = text.rfind(b"\n") + 1
        lines = text[:whole].splitlines()
        if not lines:
            if text[:1] not in (b"", b"{"):
                raise _failure("E0632", f"`{self.path}` is no journal")
            self._file.truncate(0)
            self._append(header)
            _sync_folder(self.path.parent)
            return ()
        self._file.truncate(whole)
        first, *records = [self._record(number, line) for number, line in enumerate(lines, 1)]
        self._check(first, header)
        try:
            return tuple(Finished(*map(int, record)) for record in records)
        except (TypeError, ValueError):
            raise _failure("E0632", f"the journal `{self.path}` is damaged") from None

    def _record(self, number: int, line: bytes) -> Any:
        text, _, value = line.rpartition(b" ")
        try:
            if crc32(text) == int(value, 16):
                return json.loads(text)
        except ValueError:
            pass
        notes = ("which chunks are finished is not known: restore the outputs, and delete the journal",)
        raise _failure("E0632", f"line {number} of the journal `{self.path}` is damaged", notes)

    def _check(self, found: object, header: Header) -> None:
        wanted = json.loads(json.dumps(header))
        if not isinstance(found, dict) or found == wanted:
            if found != wanted:
                raise _failure("E0632", f"the journal `{self.path}` is damaged")
            return
        other = list(_differences("", found, wanted))
        notes = tuple(f"{key}: {_short(there)} in the journal, {_short(here)} here" for key, there, here in other[:8])
        way_out = "delete it, or name another one, to begin anew"
        raise _failure("E0524", f"the journal `{self.path}` is that of another run", (*notes, way_out))

    def _append(self, record: object) -> None:
        try:
            self._file.write(_line(record))
            self._file.flush()
            os.fdatasync(self._file.fileno())
        except OSError as error:
            raise _failure("E0631", f"the journal `{self.path}` cannot be written: {_said(error)}") from None


def _read_saved(path: Path) -> Saved | None:
    """None if the file is not complete: then no output has changed."""
    try:
        with path.open("rb") as file:
            text, _, value = file.readline().rstrip(b"\n").rpartition(b" ")
            if crc32(text) != int(value, 16):
                return None
            about = json.loads(text)
            results = {}
            for name, shape, dtype in about["results"]:
                array = np.empty(shape, np.dtype(dtype))
                if file.readinto(array.reshape(-1).view(np.uint8).data) != array.nbytes:
                    return None
                results[name] = array
    except (OSError, ValueError, KeyError):
        return None
    is_whole = checksum(list(results.values())) == about["checksum"]
    return Saved(about["start"], about["stop"], results) if is_whole else None


def _line(record: object) -> bytes:
    text = json.dumps(record, separators=(",", ":")).encode()
    return b"%s %08x\n" % (text, crc32(text))


def _sync_folder(path: Path) -> None:
    """The disk has the name of a new file only if it has the folder."""
    if sys.platform == "win32":
        return
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def _differences(place: str, there: object, here: object) -> Iterator[tuple[str, object, object]]:
    """What two headers say differently, by its name."""
    if isinstance(there, dict) and isinstance(here, dict):
        for key in sorted({*there, *here}):
            yield from _differences(f"{place} `{key}`" if place else key, there.get(key), here.get(key))
    elif there != here:
        yield place, there, here


def _short(value: object) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _said(error: OSError) -> str:
    """`no space left on device`"""
    if error.errno == ENOSPC:
        return "no space left on the disk"
    return (error.strerror or str(error) or "no reason was given").lower()


def _failure(code: str, message: str, notes: tuple[str, ...] = ()) -> CompileError:
    return CompileError([Diagnostic(code, message, notes=notes)])
