"""Caches of others: PoCL finds no device, and pyopencl builds no program, where the user's caches cannot be written.

That is so in containers without a home, and on machines whose nodes see the home of users read-only. Nothing is changed
where caches can be written, and what the user has set stays. Both read their variables once, pyopencl when it is
imported, so this package sees to it first.
"""

import atexit
import os
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp

import platformdirs

POCL, PYOPENCL = "POCL_CACHE_DIR", "PYOPENCL_NO_CACHE"


def avoid_caches() -> None:
    """Gives PoCL a folder for the life of this process, and takes that of pyopencl away, if there is no other way."""
    if _is_writable(Path(platformdirs.user_cache_dir())):
        return
    os.environ.setdefault(PYOPENCL, "1")
    if POCL not in os.environ:
        folder = mkdtemp(prefix="einsum-front-")
        atexit.register(_remove, folder, os.getpid())
        os.environ[POCL] = folder


def _remove(folder: str, owner: int) -> None:
    """The children that the process forks end before it, and need the folder no less than it does."""
    if os.getpid() == owner:
        rmtree(folder, ignore_errors=True)


def _is_writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return False
    return os.access(folder, os.W_OK)
