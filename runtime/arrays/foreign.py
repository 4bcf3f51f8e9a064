"""Arrays of other libraries in the memory of the host: seen as NumPy's, without a copy, and nothing is imported.

torch, JAX, CuPy and others speak DLPack; older ones have `__array_interface__`. What they make of a result is asked of
the library that the caller's array is from, which is loaded already.
"""

import sys
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.numbers import bf16, is_bf16
from einsum_front.runtime.arrays.foreign_states import refusal, without_gradient
from einsum_front.runtime.devices.opencl import Array

Result = TypeVar("Result")

OURS = (np.ndarray, np.generic, Array)


def is_foreign(value: object) -> bool:
    """True for arrays of another library that NumPy can look at."""
    return not isinstance(value, OURS) and (hasattr(value, "__dlpack__") or hasattr(value, "__array_interface__"))


def host_view(value: object) -> object:
    """The same memory as an array of NumPy; the value itself if it is none of the host's, or nothing foreign.

    So it is if `refusal` says why. What its library does not let anybody write, as JAX, is read-only.
    """
    if not is_foreign(value) or refusal(value) is not None:
        return value
    value = without_gradient(value)
    try:
        if _is_bf16(value):
            return _view_of_bf16(value)
        if hasattr(value, "__dlpack__"):
            return np.from_dlpack(value)
        return np.asarray(value)
    except Exception:  # whatever another library raises: on a GPU, of a type that NumPy lacks
        return value


def _is_bf16(value: object) -> bool:
    return str(getattr(value, "dtype", "")).removeprefix("torch.") == "bfloat16"


def _view_of_bf16(value: Any) -> NDArray[Any]:
    """NumPy has the type from elsewhere, and DLPack does not tell it: torch shows its bits, JAX an array of it."""
    if library(value) == "torch":
        return np.from_dlpack(value.view(sys.modules["torch"].int16)).view(bf16())
    return np.asarray(value)


def host_views(arguments: Mapping[str, object]) -> Mapping[str, object]:
    """All arguments of a call; the mapping itself if there is nothing foreign, as in most calls."""
    if all(isinstance(value, OURS) or not is_foreign(value) for value in arguments.values()):
        return arguments
    return {name: host_view(value) for name, value in arguments.items()}


def like(value: object, result: NDArray[Any]) -> object:
    """The result, without a copy, as an array of the library that `value` is from; NumPy's if that does not say how.

    Raises CompileError (E0504) if the library has no arrays of this element type.
    """
    if not hasattr(value, "__dlpack__") or isinstance(value, OURS):
        return result
    space = getattr(value, "__array_namespace__", None)
    module = space() if callable(space) else sys.modules.get(library(value))
    make: Callable[[object], Any] | None = getattr(module, "from_dlpack", None)
    if make is None:
        return result
    made = _made(library(value), module, make, np.asarray(result))
    return made.as_subclass(type(value)) if library(value) == "torch" and _is_subclass(value) else made


def _made(name: str, module: Any, make: Callable[[object], Any], array: NDArray[Any]) -> Any:
    if is_bf16(array.dtype):  # DLPack does not tell it
        return make(array.view(np.int16)).view(module.bfloat16) if name == "torch" else module.asarray(array)
    try:
        return make(array)
    except (BufferError, TypeError, RuntimeError, ValueError):
        message = f"the result has element type {array.dtype}, and {name} has no arrays of it"
        notes = ("`numpy.asarray` of the operands makes the result one of NumPy",)
        raise CompileError([Diagnostic("E0504", message, notes=notes)]) from None


def on_views(arguments: Mapping[str, object], run: Callable[[Mapping[str, object]], Result]) -> Result:
    """The result of a call on views of its arguments; its mistakes are told in the words of their library."""
    given = host_views(arguments)
    if given is arguments:
        return run(given)
    try:
        return run(given)
    except CompileError as error:
        raise _in_words_of(arguments, error) from None


def _in_words_of(arguments: Mapping[str, object], error: CompileError) -> CompileError:
    """The error of a call on views of these arguments; tensors of torch are converted in torch's words."""
    names = tuple(
        f"argument `{name}` has element type " for name, each in arguments.items() if library(each) == "torch"
    )
    told = []
    for each in error.diagnostics:
        is_type = each.code == "E0504" and each.message.startswith(names) and "expected " in each.message
        wanted = each.message.rpartition("expected ")[2]
        note = f"tensors are not converted on the way: `.to(torch.{wanted})` does it"
        told.append(replace(each, notes=(note,)) if is_type and "complex" not in each.message else each)
    return CompileError(told)


def library(value: object) -> str:
    """The package that an array is from: `torch`, also for classes made of its tensors."""
    torch = sys.modules.get("torch")
    if torch is not None and isinstance(value, getattr(torch, "Tensor", ())):
        return "torch"
    return type(value).__module__.partition(".")[0]


def _is_subclass(value: Any) -> bool:
    """True for a tensor whose operations give tensors of its class: torch's own rule, parameters excepted."""
    torch = sys.modules["torch"]
    return type(value) not in (torch.Tensor, torch.nn.Parameter)
