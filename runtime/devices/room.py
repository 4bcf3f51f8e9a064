"""Memory of this machine for arrays of which nobody gave one: sizes that the system would promise, and not have."""

import os
from contextlib import suppress
from math import prod
from pathlib import Path
from typing import Any

import numpy as np

from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.devices.errors import failure

LARGE = 2**28
"""Bytes from which on the system is asked: 30 microseconds are nothing beside what fills them."""

LARGEST = 2**47
"""Bytes that a process can name, on every machine."""

UNITS = ("bytes", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB")

MEMORY = Path("/proc/meminfo")
GROUP = Path("/sys/fs/cgroup")
FREE = ("MemAvailable", "SwapFree")


def free_memory() -> int | None:
    """Bytes that a process may still take, as Linux and the group of processes see it; None where nobody says."""
    found = [each for each in (_of_machine(), _of_group()) if each is not None]
    return min(found, default=None)


def whole_memory() -> int | None:
    """Bytes of the machine; None where it does not say."""
    try:
        return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    except (AttributeError, OSError, ValueError):
        return None


def check_room(shape: tuple[int, ...], dtype: np.dtype[Any], what: str, notes: tuple[str, ...] = ()) -> None:
    """Raises CompileError (E0516) if an array is larger than the memory that is free.

    The system gives more than there is, and ends the process that uses it.
    """
    size = prod(shape) * dtype.itemsize
    if size < LARGE:
        return
    free = LARGEST if size > LARGEST else free_memory()
    if free is not None and size > free:
        words = f"this machine has no memory for {what}: {told(size)} of {told(free)} that are free"
        raise failure("E0516", words, notes)


def no_room(shape: tuple[int, ...], dtype: np.dtype[Any]) -> CompileError:
    """NumPy has no memory for an array."""
    size = told(prod(shape) * dtype.itemsize)
    return failure("E0516", f"this machine has no memory for an array of shape {shape}: {size}")


def told(size: int) -> str:
    """`34.0 GiB`."""
    power = min(max(size.bit_length() - 1, 0) // 10, len(UNITS) - 1)
    return f"{size} bytes" if not power else f"{size / 1024**power:.1f} {UNITS[power]}"


def _of_machine() -> int | None:
    with suppress(OSError, ValueError):
        lines = (line.split() for line in MEMORY.read_text(encoding="ascii").splitlines())
        found = {words[0].rstrip(":"): int(words[1]) * 1024 for words in lines if len(words) > 1}
        if FREE[0] in found:
            return sum(found.get(name, 0) for name in FREE)
    return None


def _of_group() -> int | None:
    with suppress(OSError, ValueError):
        most = int((GROUP / "memory.max").read_text(encoding="ascii"))  # "max" where there is no limit
        return max(0, most - int((GROUP / "memory.current").read_text(encoding="ascii")))
    return None
