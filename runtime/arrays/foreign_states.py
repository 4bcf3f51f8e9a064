"""Arrays of torch and JAX that are more than their entries, or have none: what a kernel would lose or misread.

A view of the memory shows neither a gradient nor a tangent, neither the batch of `vmap` nor the sign that a bit stands
for. Nothing is imported: who has such an array has loaded its library.
"""

import sys
from collections.abc import Callable
from typing import Any

from einsum_front.core.dataclass import dataclass


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
