"""Arrays of other libraries in the memory of the host: seen as NumPy's, without a copy, and nothing is imported.

torch, JAX, CuPy and others speak DLPack; older ones have `__array_interface__`. What they make of a result is asked of
the library that the caller's array is from, which is loaded already.
"""

import sys
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pyopencl.array import Array

OURS = (np.ndarray, np.generic, Array)


def is_foreign(value: object) -> bool:
    """True for arrays of another library that NumPy can look at."""
    return not isinstance(value, OURS) and (hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"))


def host_view(value: object) -> object:
    """The same memory as an array of NumPy; the value itself if it is none of the host's, or nothing foreign.

    What its library does not let anybody write, as JAX, is read-only.
    """
    if not is_foreign(value):
        return value
    try:
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except Exception:  # whatever another library raises: on a GPU, with a gradient, sparse
        return value


def host_views(arguments: Mapping[str, object]) -> Mapping[str, object]:
    """All arguments of a call; the mapping itself if there is nothing foreign, as in most calls."""
    if all(isinstance(value, OURS) or not is_foreign(value) for value in arguments.values()):
        return arguments
    return {name: host_view(value) for name, value in arguments.items()}


def like(value: object, result: NDArray[Any]) -> object:
    """The result, without a copy, as an array of the library that `value` is from; NumPy's if that does not say how."""
    if not hasattr(value, "__dlpack__") or isinstance(value, OURS):
        return result
    space = getattr(value, "__array_namespace__", None)
    module = space() if callable(space) else sys.modules.get(type(value).__module__.partition(".")[0])
    make: Callable[[object], object] | None = getattr(module, "from_dlpack", None)
    return result if make is None else make(np.asarray(result))
