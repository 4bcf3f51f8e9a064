"""Kernels that are built in the background, one at a time, for calls that go on without them.

A thread begins with the first kernel that is wanted and ends when there is none left: there is none when modules are
imported, and none waits. Compilers run as processes of their own. When the interpreter ends, what is being built is
given up. A child made by fork builds nothing: its parent's thread stayed there.
"""

import atexit
import os
import sys
from collections import deque
from importlib import import_module
from threading import Lock, Thread
from typing import Any, Protocol, get_args
from weakref import WeakSet

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.index_string.keywords import Build

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
