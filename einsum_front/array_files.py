"""Arrays of numbers from `.npy` and `.npz` files, which may come from anywhere.

Nothing is believed that the file does not show: the header of an array is read first, in full below a limit, and its
claim is compared with the bytes that there are before there is memory for them. Pickles are never read.

Format: https://numpy.org/doc/stable/reference/generated/numpy.lib.format.html
"""

import re
import stat
import zlib
from ast import literal_eval
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from math import prod
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import numpy as np
from numpy.lib.format import MAGIC_PREFIX
from numpy.typing import NDArray

from einsum_front.core.dataclass import dataclass
from einsum_front.core.numbers import bf16
from einsum_front.core.words import counted
from einsum_front.files import reason_of

Array = NDArray[np.generic]

LONGEST_HEADER = 10_000
"""Bytes; NumPy refuses longer ones too."""

MOST_MODES = 32
"""NumPy's arrays have no more in all of its versions."""

LARGEST_EXPANSION = 2**28, 100
"""An entry of more bytes than this must not be more than this many times what it takes in the file."""

PIECE = 2**20
"""Bytes that are unpacked at a time."""

TYPE = re.compile(r"[<>=|]?[A-Za-z][0-9]{0,4}")
ZIP_STARTS = (b"PK\x03\x04", b"PK\x05\x06")
ENCRYPTED = 1
LENGTHS = {(1, 0): 2, (2, 0): 4, (3, 0): 4}
"""Bytes that the length of the header takes, by the version of the format."""


class UnreadableError(Exception):
    """Why arrays cannot be read: what stands behind ``cannot read `x`:`` in an error."""

    def __init__(self, reason: str, *, is_foreign: bool = False, is_absent: bool = False) -> None:
        super().__init__(reason)
        self.reason = reason
        self.is_foreign, self.is_absent = is_foreign, is_absent
        """Whether the file is of another kind, and not damaged; whether there is none."""


@dataclass(frozen=True, slots=True)
class Header:
    """The claim of an array; `type` is one of numbers."""

    shape: tuple[int, ...]
    type: np.dtype[np.generic]
    is_column_major: bool


class ArrayFile:
    """An open file; `names` are those of the arrays in an `.npz` file, None for a `.npy` file, which has one array.

    Opening and reading raise `UnreadableError`; whoever opens it closes it.
    """

    def __init__(self, path: Path) -> None:
        with ExitStack() as opening, _in_words():
            self._stream = opening.enter_context(_regular(path))
            self._size = path.stat().st_size
            start = self._stream.read(len(MAGIC_PREFIX))
            self._stream.seek(0)
            self._archive: ZipFile | None = None
            if start[:4] in ZIP_STARTS:
                self._archive = opening.enter_context(ZipFile(self._stream))
            elif start != MAGIC_PREFIX:
                raise UnreadableError("it is neither a .npy nor a .npz file of numbers", is_foreign=True)
            self._entries = {} if self._archive is None else _arrays(self._archive)
            self.names = None if self._archive is None else tuple(self._entries)
            self._closing = opening.pop_all()

    def close(self) -> None:
        """Ends reading."""
        self._closing.close()

    def header(self, name: str) -> Header:
        """Claims of the array of this name; the name does not matter if there is one array."""
        with self._opened(name) as (stream, size):
            return _header(stream, size)

    def array(self, name: str) -> Array:
        """The array of this name, which can be written to."""
        with self._opened(name) as (stream, size):
            return _array(stream, _header(stream, size))

    @contextmanager
    def _opened(self, name: str) -> Iterator[tuple[IO[bytes], int]]:
        """The bytes of an array, header included, and their number."""
        if self._archive is None:
            self._stream.seek(0)
            with _in_words():
                yield self._stream, self._size
            return
        info = self._entries[name]
        with _in_words(f"its entry `{name}`"):
            _check_packing(info)
            with self._archive.open(info) as stream:
                yield stream, info.file_size


def _regular(path: Path) -> IO[bytes]:
    """The open file; a device or a pipe may have no end."""
    mode = path.stat().st_mode
    if not (stat.S_ISREG(mode) or stat.S_ISDIR(mode)):
        raise UnreadableError("it is no regular file")
    return path.open("rb")


@contextmanager
def _in_words(subject: str = "it") -> Iterator[None]:
    """Turns what the libraries raise for a damaged file, and the reasons for one of its entries, into our words."""
    try:
        yield
    except UnreadableError as error:
        raise UnreadableError(re.sub(r"^it\b", subject, error.reason), is_foreign=error.is_foreign) from None
    except OSError as error:
        raise UnreadableError(reason_of(error), is_absent=isinstance(error, FileNotFoundError)) from None
    except MemoryError:
        raise UnreadableError(f"{subject} does not fit into the memory of this machine") from None
    # `NotImplementedError` and `RuntimeError`: versions and encryptions of archives that `zipfile` does not know
    except (BadZipFile, zlib.error, EOFError, ValueError, OverflowError, NotImplementedError, RuntimeError):
        raise UnreadableError(f"{subject} is damaged") from None


def _arrays(archive: ZipFile) -> dict[str, ZipInfo]:
    return {e.filename.removesuffix(".npy"): e for e in archive.infolist() if e.filename.endswith(".npy")}


def _check_packing(info: ZipInfo) -> None:
    if info.flag_bits & ENCRYPTED:
        raise UnreadableError("it is encrypted")
    if info.compress_type not in (ZIP_STORED, ZIP_DEFLATED):
        raise UnreadableError("it is compressed in a way that NumPy does not write")
    least, factor = LARGEST_EXPANSION
    if info.file_size > max(least, factor * info.compress_size):
        message = f"it would grow from {info.compress_size} to {info.file_size} bytes, more than {factor} times"
        raise UnreadableError(f"{message}; `numpy.savez` writes such arrays without compression")


def _header(stream: IO[bytes], size: int) -> Header:
    """Read up to the first entry; raises `UnreadableError` unless as many bytes follow as the header claims."""
    start = stream.read(len(MAGIC_PREFIX) + 2)
    if not start.startswith(MAGIC_PREFIX):
        raise UnreadableError("it is no array", is_foreign=True)
    version = tuple(start[len(MAGIC_PREFIX) :])
    if version not in LENGTHS:
        raise UnreadableError("it is of a version of the format that is not known")
    length = int.from_bytes(stream.read(LENGTHS[version]), "little")
    if length > LONGEST_HEADER:
        raise UnreadableError(f"it has a header of {length} bytes, more than {LONGEST_HEADER}")
    header = _described(stream.read(length).decode("utf-8" if version == (3, 0) else "latin-1"))
    claimed = prod(header.shape) * header.type.itemsize
    following = size - len(start) - LENGTHS[version] - length
    if claimed != following:
        claim = f"shape {header.shape} of {counted(header.type.itemsize, 'byte')} an entry"
        raise UnreadableError(f"it is damaged: its header claims {claim}, but {counted(following, 'byte')} follow")
    return header


def _described(text: str) -> Header:
    """The header that a Python literal spells: a type, the order of the entries, and a shape."""
    try:
        found = literal_eval(text.strip())
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):
        found = None
    match found:
        case {"descr": descr, "fortran_order": bool(is_column_major), "shape": tuple(shape)} if (
            all(type(extent) is int and 0 <= extent < 2**63 for extent in shape) and len(shape) <= MOST_MODES
        ):
            return Header(shape, _numbers(descr), is_column_major)
    raise UnreadableError("it is damaged: its header describes no array")


def _numbers(descr: object) -> np.dtype[np.generic]:
    """The type of numbers that is described so; NumPy writes those of bf16 as two bytes of no type."""
    if descr in ("<V2", "|V2"):
        return bf16()
    if isinstance(descr, str) and descr.lstrip("|") == "O":
        raise UnreadableError("it holds Python objects, which are not read")
    try:
        found = np.dtype(descr) if isinstance(descr, str) and TYPE.fullmatch(descr) else None
    except TypeError:
        found = None
    if found is None or found.kind not in "biufc":
        raise UnreadableError(f"it holds no numbers: its type is `{str(descr)[:40]}`")
    return found


def _array(stream: IO[bytes], header: Header) -> Array:
    """The entries behind the header."""
    entries = np.empty(prod(header.shape), header.type)
    left = entries.view(np.uint8)
    while left.size and (piece := stream.read(min(PIECE, left.size))):
        left[: len(piece)] = np.frombuffer(piece, np.uint8)
        left = left[len(piece) :]
    if left.size or stream.read(1):  # the end is where an archive compares its checksum
        raise EOFError
    return entries.reshape(header.shape, order="F" if header.is_column_major else "C")
