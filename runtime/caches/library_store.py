"""The libraries of device `c` on disk.

    <the user's caches>/einsum-front/c/<source, compiler, flags>-<digest of the library>.so
                                       new-…/                       where a process builds one

A library appears whole and under a name that says what is in it, so several processes may build at the same time, and
one that was cut off or damaged is built again. So is one that another user owns, or can write.
"""

import warnings
from collections.abc import Iterator
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

from einsum_front.core.caches import shrink
from einsum_front.core.private_folders import OpenToOthersError, is_private, make_private_and_known

NEW = "new-"
"""How the name of a folder begins in which a library is built."""

MOST_BYTES = 2**28
"""Of all libraries; those that were built first go first."""


def private(folder: Path) -> Path | None:
    """The folder, if it can be had for this user alone; a warning says if it belongs to somebody else."""
    try:
        make_private_and_known(folder)
    except OpenToOthersError as error:
        warnings.warn(f"kernels are built for this process only: {error.strerror}", RuntimeWarning, stacklevel=2)
        return None
    except OSError:
        return None
    return folder


def kept(folder: Path, name: str) -> Iterator[Path]:
    """The libraries of this name that nobody else can write, and that are what their names say.

    To load a part of one would end the process.
    """
    for path in folder.glob(f"{name}-{'[0-9a-f]' * 16}.so"):
        with suppress(OSError):
            if is_private(path.stat()) and path.stem.rpartition("-")[2] == digest(path.read_bytes()):
                yield path


def keep(made: Path, folder: Path | None, name: str) -> Path:
    """Where a library that was built can be loaded from; it is in the cache if that can be written."""
    if folder is None or made.parent.parent != folder:
        return made
    place = folder / f"{name}-{digest(made.read_bytes())}.so"
    try:
        made.chmod(0o700)
        made.replace(place)
        shrink(folder, "*.so", MOST_BYTES, place)
    except OSError:
        return made if made.exists() else place
    return place


def digest(content: bytes) -> str:
    """What a file is known by, in 16 letters."""
    return sha256(content).hexdigest()[:16]
