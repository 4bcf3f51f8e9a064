"""Folders whose files run in the process: what somebody else owns, or may have written, is not taken from there.

    einsum_front/               made with the mode 0700, as each folder in it
        c/, kernels/, pocl/     libraries, sources of kernels, what PoCL compiles

A folder of ours that others could write is closed to them, and what was in it is not used. One of somebody else is
left alone, and whoever asks for it does without. Builders keep a lock in their folder, so what a killed one has left is
told from what is used.
"""

import os
import stat
import sys
import time
from contextlib import suppress
from errno import EPERM
from importlib.util import find_spec
from pathlib import Path

HAS_LOCKS = find_spec("fcntl") is not None
"""Windows and browsers have none."""

if HAS_LOCKS:
    import fcntl

OTHERS = stat.S_IWGRP | stat.S_IWOTH

LOCK = "lock"

LEFT = 3600
"""Seconds after which a file or folder without a lock was left by a process that was killed: nothing takes as long."""


class OpenToOthersError(OSError):
    """A folder or file that another user owns, or can write; the text says which it is and what to do."""


def make_private(folder: Path) -> bool:
    """Makes a folder in that of our caches which nobody else can write, as that; True if others could until now.

    Then others may have put there what is in it. Raises `OSError` if it cannot be made, or belongs to somebody else.
    """
    folder.parent.parent.mkdir(parents=True, exist_ok=True)
    _closed(folder.parent)
    return _closed(folder)


def make_private_and_known(folder: Path) -> None:
    """As `make_private`; what others may have put there is removed."""
    if make_private(folder):
        for path in folder.iterdir():
            remove(path)


def _closed(folder: Path) -> bool:
    """Makes a folder, or takes the rights of others to write there away; True if they had them."""
    folder.mkdir(mode=0o700, exist_ok=True)
    status = folder.stat()
    if is_private(status):
        return False
    if _is_of_another(status):
        raise OpenToOthersError(EPERM, f"`{folder}` belongs to another user: {_ELSEWHERE}")
    folder.chmod(0o700)
    if not is_private(folder.stat()):
        raise OpenToOthersError(
            EPERM, f"other users can write `{folder}`, and its file system knows no rights: {_ELSEWHERE}"
        )
    return True


_ELSEWHERE = "`XDG_CACHE_HOME` names another place for caches"


def are_private(*folders: Path) -> bool:
    """True if nobody else can write into any of these folders; raises `OSError` if one is not there."""
    return all(is_private(folder.stat()) for folder in folders)


def is_private(status: os.stat_result) -> bool:
    """True if nobody but this user, or the system's, can have written it."""
    return not _is_of_another(status) and not (hasattr(os, "geteuid") and status.st_mode & OTHERS)


def _is_of_another(status: os.stat_result) -> bool:
    return hasattr(os, "geteuid") and status.st_uid not in (os.geteuid(), 0)


# -- what processes leave that are killed ------------------------------------------------------------------------------


class Workshop:
    """A folder in another one that is gone with its process: removed at the end, or by whoever builds next."""

    def __init__(self, folder: Path | None, prefix: str) -> None:
        while True:
            from tempfile import mkdtemp  # noqa: PLC0415 - it loads archives and random numbers

            self.path = Path(mkdtemp(dir=folder, prefix=prefix))
            try:
                self._lock = os.open(self.path / LOCK, os.O_CREAT | os.O_WRONLY, 0o600)
            except FileNotFoundError:  # somebody took it for one that was left
                continue
            if _locked(self._lock) is not False and (self.path / LOCK).exists():
                return
            os.close(self._lock)

    def close(self) -> None:
        """Removes it; what was loaded from it stays loaded."""
        from shutil import rmtree  # noqa: PLC0415 - it loads archives

        os.close(self._lock)
        rmtree(self.path, ignore_errors=True)


def remove_left(folder: Path, pattern: str) -> None:
    """Removes workshops and files that match and whose process has ended: nobody locks them, or they are too old."""
    for path in folder.glob(pattern):
        with suppress(OSError):
            if _is_left(path):
                remove(path)


def _is_left(path: Path) -> bool:
    """By its lock; by its age where there is none."""
    try:
        file = os.open(path / LOCK, os.O_WRONLY)
    except (FileNotFoundError, NotADirectoryError):
        is_free = None
    else:
        is_free = _locked(file)
        os.close(file)
    return time.time() - path.lstat().st_mtime > LEFT if is_free is None else is_free


def _locked(file: int) -> bool | None:
    """Locks a file until it is closed: False if another process has it, None where there are no locks."""
    if not HAS_LOCKS:
        return None
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True


def remove(path: Path) -> None:
    """Removes a file or a folder, if it is still there; raises `OSError` if the system forbids it."""
    if path.is_dir() and not path.is_symlink():
        from shutil import rmtree  # noqa: PLC0415 - it loads archives

        rmtree(path)
    else:
        path.unlink(missing_ok=True)


# -- the folder of our caches, and what all of them do -----------------------------------------------------------------
# Files appear whole, and the oldest go.

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
