"""pyopencl, through which all of this package sees it; without it, names that nothing is an instance of.

It may be missing, or not load: its loader of drivers lacks a library, or it was built for another NumPy. Device `c`
needs none of it, so then there is no platform of OpenCL, and `ABSENCE` says why.
"""

from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn

from einsum_front.runtime.caches.folders import avoid_caches

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
