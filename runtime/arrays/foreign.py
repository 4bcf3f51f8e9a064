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

from einsum_front.core.dataclass import dataclass
from einsum_front.core.diagnostics import CompileError, Diagnostic
from einsum_front.core.numbers import bf16, is_bf16
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


# -- arrays of torch and JAX that are more than their entries, or have none --------------------------------------------
# What a kernel would lose or misread. A view of the memory shows neither a gradient nor a tangent, neither the batch
# of `vmap` nor the sign that a bit stands for. Nothing is imported: who has such an array has loaded its library.


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why the entries of an array cannot stand for it, and what the caller can write instead (empty: nothing)."""

    reason: str
    way_out: str = ""

    @property
    def notes(self) -> tuple[str, ...]:
        """The notes of an error message."""
        return (self.reason, self.way_out) if self.way_out else (self.reason,)


TRACED = (
    "`jit`, `grad`, `vmap` and others of JAX trace the program here, and a traced array has no entries",
    "kernels run outside of them, or inside of `jax.pure_callback`",
)

_DETACH = "`A.detach()` is the tensor without it"

_WRAPPED = Refusal(
    "`torch.func` transforms the program here (`vmap`, `grad`, `jvp`, …), and its tensor has no entries of its own",
    "kernels run outside of it",
)


def refusal(value: object) -> Refusal | None:
    """The reason why this array of another library cannot be read by its memory alone; None if it can."""
    torch, jax = sys.modules.get("torch"), sys.modules.get("jax")
    if torch is not None and isinstance(value, getattr(torch, "Tensor", ())):
        return next((found for is_so, found in _of_torch(torch) if is_so(value)), None)
    if torch is not None and isinstance(value, getattr(getattr(torch, "fx", None), "Proxy", ())):
        way_out = "a function of yours that `torch.fx.wrap` was told of is kept as a call, and may call kernels"
        return Refusal("`torch.fx` traces the program here, and its proxy has no entries", way_out)
    if jax is not None and isinstance(value, getattr(getattr(jax, "core", None), "Tracer", ())):
        return Refusal(*TRACED)
    if jax is not None and isinstance(value, getattr(jax, "ShapeDtypeStruct", ())):
        return Refusal("it describes an array, and has no entries")
    if jax is not None and isinstance(value, getattr(jax, "Array", ())) and getattr(value, "is_deleted", bool)():
        return Refusal("its memory was deleted or donated")
    return None


def without_gradient(value: Any) -> Any:
    """A tensor that requires a gradient where torch records none, as in `no_grad`, as one without; else the value."""
    return value.detach() if getattr(value, "requires_grad", False) is True else value


def _of_torch(torch: Any) -> tuple[tuple[Callable[[Any], bool], Refusal], ...]:
    """Questions to a tensor, in the order in which they can be asked, with what a yes means."""
    is_wrapped = getattr(getattr(torch._C, "_functorch", None), "is_functorch_wrapped_tensor", lambda _: False)
    proxies = sys.modules.get("torch.fx.experimental.proxy_tensor")
    mode = getattr(proxies, "get_proxy_mode", lambda: None)
    return (
        (is_wrapped, _WRAPPED),
        (
            lambda _: torch.jit.is_tracing() or mode() is not None,
            Refusal("torch traces the program here, and what a kernel computes would be recorded as a constant"),
        ),
        (
            lambda tensor: _is_special(torch, type(tensor)),
            Refusal(
                "its class says itself what operations on it mean",
                "a plain tensor is read, such as one that the class is made from",
            ),
        ),
        (lambda tensor: tensor.is_nested, Refusal("it is nested", "`A.to_padded_tensor(0.0)` is a plain tensor")),
        (lambda tensor: tensor.is_quantized, Refusal("it is quantised", "`A.dequantize()` is a plain tensor")),
        (
            lambda tensor: tensor.layout is not torch.strided,
            Refusal("it is sparse, or in another layout without strides", "`A.to_dense()` is a plain tensor"),
        ),
        (lambda tensor: tensor.is_meta, Refusal("a tensor of the device `meta` has no entries")),
        (
            lambda tensor: tensor.requires_grad and torch.is_grad_enabled(),
            Refusal("a kernel has no gradient, and this tensor requires one", _DETACH),
        ),
        (
            lambda tensor: torch.autograd.forward_ad.unpack_dual(tensor).tangent is not None,
            Refusal("a kernel has no derivative, and this tensor has a tangent (`forward_ad.make_dual`)", _DETACH),
        ),
        (
            lambda tensor: tensor.is_neg(),
            Refusal("its entries are the negatives of those in memory", "`A.resolve_neg()` is a plain tensor"),
        ),
        (
            lambda tensor: tensor.is_conj(),
            Refusal("its entries are the conjugates of those in memory", "`A.resolve_conj()` is a plain tensor"),
        ),
        (_is_released, Refusal("its storage is smaller than the tensor: it was resized or released")),
        (
            lambda tensor: tensor.device.type not in ("cpu", "cuda"),
            Refusal("it is neither in the memory of the host nor in that of CUDA", "`A.cpu()` is a copy on the host"),
        ),
    )


def _is_special(torch: Any, kind: Any) -> bool:
    """True if a class of tensors has operations of its own; that of parameters has torch's."""
    function = getattr(kind.__torch_function__, "__func__", kind.__torch_function__)
    plain = torch.Tensor.__torch_function__.__func__, torch.nn.Parameter.__torch_function__
    return function not in plain or kind.__torch_dispatch__ is not torch.Tensor.__torch_dispatch__


def _is_released(tensor: Any) -> bool:
    """True if entries lie beyond the end of the memory: reading them would read what is somebody else's."""
    if tensor.numel() == 0:
        return False
    last = sum((size - 1) * step for size, step in zip(tensor.shape, tensor.stride(), strict=True))
    needed = (tensor.storage_offset() + last + 1) * tensor.element_size()
    return bool(tensor.untyped_storage().nbytes() < needed)
