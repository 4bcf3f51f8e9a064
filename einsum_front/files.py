"""Writing files where the user says: what goes wrong is a mistake with a path, not a traceback."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from errno import EACCES, ENOENT
from pathlib import Path
from typing import IO

from einsum_front.core.diagnostics import CompileError, Diagnostic


def write_text(path: Path, text: str) -> None:
    """Writes a text file, as `replacing` does."""
    write_bytes(path, text.encode())


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file of any kind, as `replacing` does."""
    with replacing(path) as file:
        file.write(content)


def replace_text(path: Path, text: str) -> None:
    """Puts a text file in the place of what is there, a link too, as `replacing` does."""
    with writing(path), _new(path) as file:
        file.write(text.encode())


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """A file to write that is at `path` when the block ends, whole; if anything fails, there is what was there before.

    Links are followed, and what is no file (a pipe, a device) is written to as it is. A place that cannot be written,
    or that has no room, raises `CompileError`.
    """
    with writing(path):
        place = path.resolve()
        if place.exists() and not os.access(place, os.W_OK):
            raise PermissionError(EACCES, os.strerror(EACCES))
        is_in_place = place.exists() and not (place.is_file() and os.access(place.parent, os.W_OK))
        with place.open("wb") if is_in_place else _new(place) as file:
            yield file


@contextmanager
def _new(place: Path) -> Iterator[IO[bytes]]:
    """A file beside a place, which it takes when the block ends; with the rights of the one that is there."""
    from tempfile import NamedTemporaryFile  # noqa: PLC0415 - it loads archives and random numbers

    rights = place.stat().st_mode & 0o777 if place.is_file() and not place.is_symlink() else 0o666 & ~_umask()
    with NamedTemporaryFile(dir=place.parent, suffix=".new", delete=False) as file:
        new = Path(file.name)
        try:
            yield file
            file.close()
            new.chmod(rights)
            new.replace(place)
        except BaseException:
            new.unlink(missing_ok=True)
            with suppress(OSError):  # what is still to be written does not fit either
                file.close()
            raise


def _umask() -> int:
    """Of this process; the system tells it only to those who set it."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def make_directory(path: Path) -> None:
    """Makes a folder and those above it, unless they are there."""
    with writing(path):
        path.mkdir(parents=True, exist_ok=True)


def check_folder(path: Path) -> None:
    """Raises `CompileError` if there is no folder for the file: said before the work that it is for."""
    with writing(path):
        if not path.parent.is_dir():
            raise FileNotFoundError(ENOENT, "no such file or directory")


@contextmanager
def writing(path: Path) -> Iterator[None]:
    """Turns what the system says against writing `path` into a `CompileError`."""
    try:
        yield
    except OSError as error:
        raise CompileError([Diagnostic("E0107", f"cannot write `{path}`: {reason_of(error)}")]) from None


def reason_of(error: OSError) -> str:
    """The system's reason, in the case of our messages."""
    return (error.strerror or "no reason was given").lower()
