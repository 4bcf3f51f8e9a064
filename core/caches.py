"""The folder of our caches, and what all of them do: files appear whole, and the oldest go."""

import os
import sys
from contextlib import suppress
from pathlib import Path

NO_CACHE_VARIABLE = "EINSUM_FRONT_NO_CACHE"
"""The environment variable that turns the cache off, unless it is empty or 0."""

NEW = ".new"
"""How the name of a file ends that is not whole yet."""


def is_off() -> bool:
    """True if the environment turns caches off."""
    return os.environ.get(NO_CACHE_VARIABLE, "0") not in ("", "0")


def all_caches() -> Path:
    """The folder in which programs of this user have theirs."""
    if sys.platform == "darwin":
        return _home() / "Library" / "Caches"
    named, otherwise = ("LOCALAPPDATA", "AppData/Local") if sys.platform == "win32" else ("XDG_CACHE_HOME", ".cache")
    return Path(os.environ.get(named, "").strip() or _home() / otherwise)


def _home() -> Path:
    return Path(os.path.expanduser("~"))  # noqa: PTH111 - the method raises for users without a home


def user_caches() -> Path:
    """The folder of all our caches of this user."""
    return all_caches() / "einsum-front"


def write_whole(path: Path, content: bytes) -> None:
    """Puts a file in the place of any other: who reads it sees the one or the other. Raises `OSError`."""
    from tempfile import NamedTemporaryFile  # noqa: PLC0415 - it loads archives and random numbers

    with NamedTemporaryFile(dir=path.parent, suffix=NEW, delete=False) as file:
        try:
            file.write(content)
            file.close()
            Path(file.name).replace(path)
        except BaseException:
            Path(file.name).unlink(missing_ok=True)
            raise


def shrink(folder: Path, pattern: str, most: int, newest: Path | None = None) -> None:
    """Removes the files that were written first until those that match have no more bytes; never the `newest`.

    Other processes may remove files at the same time.
    """
    found = []
    for path in folder.glob(pattern):
        with suppress(OSError):
            status = path.stat()
            found.append((status.st_mtime_ns, status.st_size, path))
    total = sum(size for _, size, _ in found)
    for _, size, path in sorted(found, key=lambda each: each[0]):
        if total <= most:
            return
        if path != newest:
            path.unlink(missing_ok=True)
            total -= size
