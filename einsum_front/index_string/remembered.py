"""Calls of `ef.einsum` like one before: same string, keywords, and shapes, strides and types of operands.

Such a call runs what was found for the first one, and that is all: what was checked once depends on nothing else.
"""

from collections.abc import Callable, Sequence
from itertools import count
from threading import Lock
from typing import Any, Protocol

import numpy as np

from einsum_front.runtime import plain_tensor, plain_torch

MOST = 16_384
"""Kinds of calls; of more, those that were used longest ago are forgotten, an eighth at a time."""

Looks = tuple[object, ...]
"""All that a call depends on but the entries of its operands."""

Home = Callable[[Any], Any]
"""Makes of an array of NumPy one of another library."""


class Remembered(Protocol):
    """What computes a kind of calls; `used` grows from use to use."""

    used: int

    def run(self, operands: Sequence[Any], out: Any) -> Any:
        """The result; `NotImplemented` if the call has to be done in full. `out` has been checked, or is None."""


class LeastRecentlyUsed:
    """Kinds of calls, as many as `most`."""

    def __init__(self, most: int = MOST) -> None:
        self.entries: dict[Looks, Remembered] = {}
        self._most = most
        self._lock = Lock()
        self._tick = count(1).__next__

    def find(self, looks: Looks) -> Remembered | None:
        """What is remembered of such calls."""
        found = self.entries.get(looks)
        if found is not None:
            found.used = self._tick()
        return found

    def keep(self, looks: Looks, entry: Remembered) -> None:
        """Makes calls that look like this one short."""
        entry.used = self._tick()
        with self._lock:
            if len(self.entries) >= self._most and looks not in self.entries:
                oldest = sorted(self.entries.copy().items(), key=lambda item: item[1].used)
                for each, _ in oldest[: max(1, self._most // 8)]:
                    del self.entries[each]
            self.entries[looks] = entry


ndarray = np.ndarray  # looked up for each operand of each call

NUMBERS = (int, float, complex, list, tuple, np.generic, np.ndarray)

REMEMBERED = LeastRecentlyUsed()


def looks(
    subscripts: str, operands: Sequence[Any], settings: tuple[object, ...]
) -> tuple[Looks, Sequence[Any], Home | None] | None:
    """The look of a call with these settings, its operands as arrays, and what the result is made into.

    None if not all operands are arrays in the memory of the host, or what stands for them, or plain ones of pyopencl.
    """
    found: list[object] = [subscripts, settings]
    for operand in operands:
        if type(operand) is not ndarray:
            break
        found += (operand.shape, operand.strides, operand.dtype)
        if not operand.flags.aligned:
            found.append("unaligned")
    else:
        return tuple(found), operands, None
    read = as_arrays(operands)
    if read is None:
        seen = _looks_on_device(subscripts, operands, settings)
        return None if seen is None else (seen, operands, None)
    arrays, home = read
    known = looks(subscripts, arrays, settings)
    return None if known is None else (known[0], arrays, home)


def _looks_on_device(subscripts: str, operands: Sequence[Any], settings: tuple[object, ...]) -> Looks | None:
    """The look of a call on arrays of pyopencl."""
    found: list[object] = [subscripts, settings]
    for operand in operands:
        if not _is_plain_on_device(operand):
            return None
        found += _place(operand)
    return tuple(found)


def settings_of(
    out: object, optimize: object, dtype: object, order: object, casting: object, device: object, build: object
) -> tuple[object, ...] | None:
    """The keywords of a call as a part of its look; None if it cannot be looked up by them."""
    target = None if out is None else _look_of_out(out)
    if out is not None and target is None:
        return None
    if type(casting) is not str or type(device) is not str or type(order) not in (str, type(None)):
        return None
    if not isinstance(dtype, type | np.dtype | str | None):
        return None
    path: object = optimize
    if isinstance(optimize, list | tuple):
        path = tuple([tuple(step) if isinstance(step, list) else step for step in optimize])
        try:
            hash(path)
        except TypeError:
            return None
    elif type(optimize) not in (bool, str):
        return None
    return device, build, path, dtype, order, casting, target


def _look_of_out(out: Any) -> Looks | None:
    """The look of an array for the result; None for what is neither of NumPy nor a plain one of pyopencl."""
    if type(out) is ndarray:
        return out.shape, out.strides, out.dtype, out.flags.writeable, out.flags.aligned
    return _place(out) if _is_plain_on_device(out) else None


def _is_plain_on_device(array: Any) -> bool:
    kind = type(array)
    return kind.__name__ == "Array" and kind.__module__ == "pyopencl.array" and not array.offset


def _place(array: Any) -> Looks:
    return array.shape, array.strides, array.dtype, array.context, array.queue, array.allocator


def as_arrays(operands: Sequence[object]) -> tuple[Sequence[Any], Home | None] | None:
    """Numbers, lists of numbers, arrays and tensors as arrays of NumPy; None if there is anything else.

    Behind them stands what makes of the result an array of the library that the first foreign operand is from.
    """
    found: list[Any] = []
    home: Home | None = None
    torch = plain_torch()
    for operand in operands:
        kind = type(operand)
        if kind is ndarray:
            found.append(operand)
        elif torch is not None and kind is torch.tensor:
            if (view := torch.view(operand)) is None:
                return None
            found.append(view)
            home = home or plain_tensor
        elif isinstance(operand, NUMBERS):
            if hasattr(operand, "__cuda_array_interface__"):
                return None
            try:
                found.append(np.asarray(operand))
            except ValueError:  # it has no shape
                return None
        elif kind.__module__.startswith("jax"):
            if (view := _view_of_jax(operand)) is None:
                return None
            found.append(view)
            home = home or _like(operand)
        else:
            return None
    return found, home


def _view_of_jax(operand: object) -> Any:
    from einsum_front.runtime import host_view  # noqa: PLC0415 - it loads OpenCL

    view = host_view(operand)
    return view if type(view) is np.ndarray else None


def _like(operand: object) -> Home:
    from einsum_front.runtime import like  # noqa: PLC0415 - it loads OpenCL

    return lambda result: like(operand, result if result.flags.writeable else result.copy())
