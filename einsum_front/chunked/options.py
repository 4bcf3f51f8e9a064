"""Options of a run in chunks, and what is wrong with them."""

import os
import re
from collections.abc import Callable, Sequence
from pathlib import Path

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import Diagnostic, raise_any
from einsum_front.core.words import kind_of
from einsum_front.runtime import Device, find_device

UNITS = {"": 1, "B": 1, "KB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12}
UNITS |= {"KIB": 2**10, "MIB": 2**20, "GIB": 2**30, "TIB": 2**40}

Progress = bool | Callable[[int, int], None]
"""True for a bar on the terminal; a function is called with the elements that are finished, and all."""


@dataclass(frozen=True, slots=True)
class Options:
    """What the caller wants; None where that is left to us. `memory` is in bytes, `chunk` in elements.

    `shape` is that of an element if the caller gave one with the chunk.
    """

    memory: int | None = None
    chunk: int | None = None
    shape: tuple[int, ...] | None = None
    devices: tuple[Device, ...] | None = None
    progress: Progress = False
    journal: Path | None = None


def read_options(
    memory: object = None,
    chunk: object = None,
    devices: object = None,
    progress: object = False,
    journal: object = None,
) -> Options:
    """Raises CompileError with all that is wrong: E0523, E0521 for chunks that are no whole elements."""
    mistakes: list[Diagnostic] = []
    count, shape = _chunk(chunk, mistakes)
    if not isinstance(progress, bool) and not callable(progress):
        mistakes.append(_wrong("progress", progress, "True, False or a function of two numbers"))
    if journal is not None and not isinstance(journal, str | os.PathLike):
        mistakes.append(_wrong("journal", journal, "the path of a file"))
    names = _names(devices, mistakes)
    size = _memory(memory, mistakes)
    raise_any(mistakes)
    found = None if names is None else tuple(map(find_device, names))
    path = Path(journal) if isinstance(journal, str | os.PathLike) else None
    return Options(size, count, shape, found, progress if callable(progress) else bool(progress), path)


def _memory(value: object, mistakes: list[Diagnostic]) -> int | None:
    if value is None:
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value > 0:
        return value
    if isinstance(value, str):
        found = re.fullmatch(r"\s*(\d+(?:\.\d+)?)\s*([A-Za-z]*)\s*", value)
        if found is not None and found[2].upper() in UNITS and (size := int(float(found[1]) * UNITS[found[2].upper()])):
            return size
    mistakes.append(_wrong("memory", value, 'a number of bytes, or a text such as "512 MB"'))
    return None


def _chunk(value: object, mistakes: list[Diagnostic]) -> tuple[int | None, tuple[int, ...] | None]:
    first, *rest = value if isinstance(value, tuple) and value else (value,)
    if first is None and not rest:
        return None, None
    if not all(isinstance(each, int) and not isinstance(each, bool) and each > 0 for each in (first, *rest)):
        note = "a chunk is a number of elements, or a shape whose first size is that"
        mistakes.append(Diagnostic("E0521", f"`chunk` is {value!r}, expected whole elements", notes=(note,)))
        return None, None
    return int(first), tuple(rest) if isinstance(value, tuple) else None


def _names(devices: object, mistakes: list[Diagnostic]) -> Sequence[str | int] | None:
    if devices is None:
        return None
    if isinstance(devices, list | tuple) and devices and all(isinstance(each, str | int) for each in devices):
        return devices
    mistakes.append(_wrong("devices", devices, 'a list of devices such as `["gpu:0", "gpu:1"]`'))
    return None


def _wrong(name: str, value: object, expected: str) -> Diagnostic:
    found = repr(value) if isinstance(value, str | int | float | list | tuple) else kind_of(value)
    return Diagnostic("E0523", f"`{name}` is {found}, expected {expected}")
