"""Names of what has been built in the background, kept between processes.

    <the user's caches>/einsum-front/built.txt

A line is a name. To look for a kernel on disk takes a millisecond, and loads OpenCL; to look for a name takes nothing.
A name is a hint: its kernel may have been removed since.
"""

import os
from functools import cache
from pathlib import Path

from einsum_front.core.private_folders import is_off, user_caches

MOST_BYTES = 2**20
"""A longer file begins anew."""


@cache
def names_on_shelf() -> frozenset[str]:
    """All names, as they were when the process first asked."""
    if is_off():
        return frozenset()
    try:
        return frozenset(_path().read_text(encoding="utf-8", errors="replace").splitlines())
    except OSError:
        return frozenset()


def put_on_shelf(name: str) -> None:
    """Adds a name; what cannot be written is not kept."""
    if is_off() or name in names_on_shelf():
        return
    path = _path()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        is_long = path.exists() and path.stat().st_size > MOST_BYTES
        flags = os.O_WRONLY | os.O_CREAT | (os.O_TRUNC if is_long else os.O_APPEND)
        descriptor = os.open(path, flags, 0o600)
        try:
            os.write(descriptor, f"{name}\n".encode())
        finally:
            os.close(descriptor)
    except OSError:
        return


def clear_shelf() -> None:
    """Forgets all names; raises `OSError` if the system forbids it."""
    _path().unlink(missing_ok=True)


def _path() -> Path:
    return user_caches() / "built.txt"
