"""pyopencl, through which all of this package sees it; without it, names that nothing is an instance of.

It may be missing, or not load: its loader of drivers lacks a library, or it was built for another NumPy. Device `c`
needs none of it, so then there is no platform of OpenCL, and `ABSENCE` says why.
"""

import os
from contextlib import AbstractContextManager
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError
from einsum_front.runtime.caches.folders import avoid_caches
from einsum_front.runtime.devices.errors import failure

__all__ = [
    "ABSENCE",
    "Allocator",
    "Array",
    "ImmediateAllocator",
    "KernelArg",
    "MemoryPool",
    "PooledBuffer",
    "PooledSVM",
    "cl",
    "empty_like",
]

if TYPE_CHECKING:
    import pyopencl as cl
    from pyopencl.array import Array, empty_like
    from pyopencl.tools import ImmediateAllocator, MemoryPool, PooledBuffer, PooledSVM
    from pyopencl.typing import Allocator, KernelArg


class Uninstantiated(type):
    """The type of a class that nothing is an instance of; whatever it is asked for is a function that nobody calls."""

    def __getattr__(cls, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        return lambda *_: None


class Absent(ModuleType):
    """A module that is not there: its classes have no instances, and what it has of modules is absent as well."""

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        found: object = Uninstantiated(name, (), {}) if name[0].isupper() else Absent(f"{self.__name__}.{name}")
        setattr(self, name, found)
        return found


def absent(reason: str) -> Absent:
    """pyopencl where it does not load for this reason: to ask for platforms raises its `Error`."""
    module = Absent("pyopencl")

    class Error(Exception):
        """As drivers raise it."""

    def get_platforms() -> NoReturn:
        raise Error(reason)

    vars(module).update(Error=Error, get_platforms=get_platforms)
    return module


ABSENCE: str | None = None
"""Why pyopencl does not load, in half a sentence; None if it does."""

if not TYPE_CHECKING:
    avoid_caches()  # before pyopencl is imported, which reads the environment then
    try:
        import pyopencl as cl
        from pyopencl.array import Array, empty_like
        from pyopencl.tools import ImmediateAllocator, MemoryPool, PooledBuffer, PooledSVM
        from pyopencl.typing import Allocator, KernelArg
    except Exception as error:
        ABSENCE = f"pyopencl does not load: {str(error).strip().partition(chr(10))[0] or type(error).__name__}"
        cl = absent(ABSENCE)
        Array, empty_like = cl.array.Array, cl.array.empty_like
        PooledBuffer, PooledSVM = cl.tools.PooledBuffer, cl.tools.PooledSVM
        ImmediateAllocator, MemoryPool = cl.tools.ImmediateAllocator, cl.tools.MemoryPool
        Allocator, KernelArg = cl.typing.Allocator, cl.typing.KernelArg


# -- errors of drivers in our words: nobody sees an exception of pyopencl ----------------------------------------------


def driver_failure(code: str, what: str, error: cl.Error, notes: tuple[str, ...] = ()) -> CompileError:
    """An error of the driver as `error[code]: {what}: {the driver's words}`."""
    return failure(code, f"{what}: {str(error).splitlines()[0]}", notes)


@dataclass(frozen=True, slots=True)
class _DriverErrors:
    """Not a generator, which takes a microsecond each time, and launches have several."""

    code: str
    what: str

    def __enter__(self) -> None:
        pass

    def __exit__(self, _kind: object, error: BaseException | None, _trace: object) -> None:
        if isinstance(error, cl.Error):
            raise driver_failure(self.code, self.what, error) from None


def driver_errors(code: str, what: str) -> AbstractContextManager[None]:
    """Turn an error of the driver inside the block into `error[code]: {what}: {the driver's words}`."""
    return _DriverErrors(code, what)


# -- OpenCL in a process that was made by fork -------------------------------------------------------------------------
# Drivers do not survive it, so their use is an error there. A fork copies the memory of a process, but of its threads
# only the one that forks. A driver of a CPU then waits for its threads for ever. `multiprocessing` forks on Linux, up
# to Python 3.13 unless it is told otherwise. Drivers are loaded when OpenCL is first asked for its platforms:
# children that were made before that are as good as any process.

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
