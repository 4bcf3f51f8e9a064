"""Kernels that are built in the background, one at a time, for calls that go on without them.

A thread begins with the first kernel that is wanted and ends when there is none left: there is none when modules are
imported, and none waits. Compilers run as processes of their own. When the interpreter ends, what is being built is
given up. A child made by fork builds nothing: its parent's thread stayed there.
"""

import atexit
import os
import sys
from collections import deque
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import count
from threading import Lock, Thread
from typing import Any, Protocol, get_args
from weakref import WeakSet

import numpy as np

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.index_string.keywords import Build
from einsum_front.runtime import plain_tensor, plain_torch

BUILD_VARIABLE, DEVICE_VARIABLE = "EINSUM_FRONT_BUILD", "EINSUM_FRONT_DEVICE"
WORDS: tuple[Build, ...] = get_args(Build)

WORTH_BUILDING = 5e7
"""Nanoseconds saved: a quarter of what it takes to build a kernel. Who has called so often is expected to call on."""

WORTH_WAITING = 1e9
"""Nanoseconds saved in a single call, of which a build takes a part: it is waited for."""

LOADING, LOADING_FIRST = 2e6, 2e7
"""Nanoseconds saved that are worth a kernel from the disk, and the first one of a process, which loads OpenCL."""

PATIENCE = 5.0
"""Seconds that the end of the interpreter, or a fork, waits for the thread."""

WITH_LOCKS = "logging", "concurrent.futures.thread"
"""Modules that lock before a fork and unlock behind it. A fork that waits for the thread while that imports one of them
would unlock only: they are imported before."""

MAKER = "einsum_front.index_string.contract"


def read_build(build: object) -> Build:
    """What the caller or the program wants; raises `CompileError` if that is no such word."""
    wanted = os.environ.get(BUILD_VARIABLE, "") or "auto" if build is None else build
    if wanted not in WORDS:
        name = "`build`" if build is not None else f"the environment variable {BUILD_VARIABLE}"
        listed = ", ".join(map(repr, WORDS))
        raise CompileError([Diagnostic("E0518", f"{name} is {wanted!r}, expected one of {listed}")])
    return wanted


def leaves_the_device_to_us(device: object) -> bool:
    """True if neither the call nor the environment names a device."""
    return device == "auto" and os.environ.get(DEVICE_VARIABLE, "auto") == "auto"


class User(Protocol):
    """Calls that want a kernel."""

    def build(self) -> None:
        """Builds it, or raises what compiling raises: then calls go on without one."""

    def give_up(self) -> None:
        """There is no device, no compiler, or one that does not build."""

    def leave_parent(self) -> None:
        """This process is a child that was made by fork."""


class Builds:
    """What is waiting, and the thread that builds."""

    def __init__(self) -> None:
        self.are_possible = True
        self.users: WeakSet[User] = WeakSet()
        """Calls that have got a kernel."""
        self._afresh()
        atexit.register(self._stop)
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(
                before=self._before_fork, after_in_parent=self._after_fork, after_in_child=self._in_child
            )

    def _afresh(self) -> None:
        self._waiting: deque[User] = deque()
        self._lock = Lock()
        self._working = Lock()
        self._thread: Thread | None = None

    @property
    def worth_loading(self) -> float:
        """Nanoseconds saved that are worth a kernel which another process has built."""
        return LOADING if MAKER in sys.modules else LOADING_FIRST

    def ask(self, call: User) -> None:
        """Builds a kernel for these calls, some time."""
        if not self.are_possible:
            return
        for name in WITH_LOCKS:
            import_module(name)
        with self._lock:
            self._waiting.append(call)
            if self._thread is None:
                self._thread = Thread(target=self._work, name="einsum-front builds", daemon=True)
                self._thread.start()

    def wait(self) -> None:
        """Returns when nothing is left to build."""
        while (thread := self._thread) is not None:
            thread.join()

    def _work(self) -> None:
        while True:
            with self._lock:
                if not self._waiting or not self.are_possible:
                    self._thread = None
                    return
                call = self._waiting.popleft()
            try:
                with self._working:
                    self._build(call)
            except BaseException:
                self._thread = None  # the next kernel gets another
                raise

    def _build(self, call: User) -> None:
        try:
            call.build()
            self.users.add(call)
        except (CompileError, MemoryError):
            call.give_up()
        except Exception:
            if self.are_possible:  # else modules are going, and so is this thread
                raise

    def _stop(self) -> None:
        """At the end of the interpreter: what is being compiled is killed, and its files are removed."""
        self.are_possible = False
        self._waiting.clear()
        thread = self._thread
        if thread is not None:
            compiler: Any = sys.modules.get("einsum_front.runtime.devices.c_compiler")
            if compiler is not None:
                compiler.stop_compiling()
            thread.join(PATIENCE)
            if compiler is not None:
                compiler.remove_unfinished()

    def _before_fork(self) -> None:
        """No fork while modules are loaded: locks of theirs would stay locked in the child."""
        self._is_held = self._working.acquire(timeout=PATIENCE) if self._thread is not None else False

    def _after_fork(self) -> None:
        if self._is_held:
            self._working.release()

    def _in_child(self) -> None:
        self.are_possible = False
        self._afresh()
        for each in self.users:
            each.leave_parent()


BUILDS = Builds()


# -- calls of `ef.einsum` like one before ------------------------------------------------------------------------------
# Same string, keywords, and shapes, strides and types of operands. Such a call runs what was found for the first one,
# and that is all: what was checked once depends on nothing else.

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
