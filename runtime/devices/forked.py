"""OpenCL in a process that was made by fork: drivers do not survive it, so their use is an error there.

A fork copies the memory of a process, but of its threads only the one that forks. A driver of a CPU then waits for its
threads for ever. `multiprocessing` forks on Linux, up to Python 3.13 unless it is told otherwise. Drivers are loaded
when OpenCL is first asked for its platforms: children that were made before that are as good as any process.
"""

import os
from pathlib import Path

from einsum_front.runtime.devices.errors import failure

MAPPED = Path("/proc/self/maps")
"""What Linux has loaded into this process."""

LIBRARIES = ("libpocl", "libintelocl", "libnvidia-opencl", "libamdocl", "oclgrind")
"""What is in the names of drivers: a caller may have used one before we were asked for anything."""

_has_asked = False
_is_lost = False


def use_drivers() -> None:
    """Raises CompileError (E0611) where they do not work; else notes that this process uses them.

    Stands at the beginning of everything that talks to a device or waits for one.
    """
    global _has_asked  # noqa: PLW0603 - a fact about the process
    if _is_lost:
        notes = (
            "its parent had asked for devices: threads of their drivers stayed there, and waiting for them never ends",
            '`multiprocessing.get_context("spawn")` makes processes that can use them, as does a fork before any use',
        )
        raise failure("E0611", "this process was made by fork and cannot use the OpenCL devices of its parent", notes)
    _has_asked = True


def is_lost() -> bool:
    """True if this process was forked from one that used drivers."""
    return _is_lost


def _after_fork() -> None:
    global _is_lost  # noqa: PLW0603 - a fact about the process
    _is_lost = _is_lost or _has_asked or _has_loaded_driver()


def _has_loaded_driver() -> bool:
    try:
        mapped = MAPPED.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    return any(name in mapped for name in LIBRARIES)


if hasattr(os, "register_at_fork"):  # where there is fork
    os.register_at_fork(after_in_child=_after_fork)
