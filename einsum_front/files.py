"""Writing files where the user says: what goes wrong is a mistake with a path, not a traceback."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from errno import ENOENT
from pathlib import Path
from tempfile import NamedTemporaryFile

from einsum_front.core.diagnostics import CompileError, Diagnostic


def write_text(path: Path, text: str) -> None:
    """Writes a text file; a place that cannot be written raises `CompileError`."""
    with writing(path):
        path.write_text(text, encoding="utf-8")


def write_bytes(path: Path, content: bytes) -> None:
    """Writes a file of any kind; a place that cannot be written raises `CompileError`."""
    with writing(path):
        path.write_bytes(content)


def replace_text(path: Path, text: str) -> None:
    """Puts a text file in the place of what is there, whole and at once; raises `CompileError` as `write_text` does."""
    with writing(path):
        with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, suffix=".new", delete=False) as file:
            new = Path(file.name)
        try:
            new.write_text(text, encoding="utf-8")
            new.chmod(0o666 & ~_umask())
            new.replace(path)
        except BaseException:
            new.unlink(missing_ok=True)
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
