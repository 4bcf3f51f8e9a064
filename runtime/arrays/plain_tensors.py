"""Tensors of torch that are nothing but their entries in the memory of the host: most are, and that is soon found out.

All others are the matter of `foreign` and `foreign_states`, which say what is wrong with them. Nothing is imported.
"""

import sys
from typing import Any

import numpy as np

_found: list["PlainTorch"] = []


class PlainTorch:
    """What torch is asked for each call and each tensor, looked up once: names of another release are an error."""

    __slots__ = ("_dispatches", "_forward", "_functions", "_is_wrapped", "_tracing", "module", "tensor", "to_tensor")

    def __init__(self, torch: Any) -> None:
        self.module = torch
        self.tensor, self.to_tensor = torch.Tensor, torch.from_numpy
        self._tracing = torch._C._get_tracing_state
        self._dispatches = torch._C._len_torch_dispatch_stack
        self._functions = torch._C._len_torch_function_stack
        self._forward = torch.autograd.forward_ad
        self._is_wrapped = torch._C._functorch.is_functorch_wrapped_tensor

    def if_plain(self) -> "PlainTorch | None":
        """Itself, if torch neither traces nor transforms the program at the moment."""
        if self._tracing() is not None or self._dispatches() or self._functions() or self._forward._current_level >= 0:
            return None
        return self

    def view(self, tensor: Any) -> Any:
        """The memory of a tensor as an array of NumPy; None if it has to be looked at more closely."""
        try:
            if self._is_wrapped(tensor):
                return None
            # an error if it requires a gradient, is sparse, nested, quantised, on a GPU, negated or has no entries
            array = tensor.numpy()
            if array.flags.c_contiguous:
                needed = array.nbytes
            else:
                pairs = zip(array.shape, array.strides, strict=True)
                needed = sum([(size - 1) * step for size, step in pairs]) + array.itemsize
            offset = tensor.storage_offset()
            is_there = needed + array.itemsize * offset <= tensor.untyped_storage().nbytes()
        except Exception:  # whatever torch raises
            return None
        return array if is_there else None


def plain_torch() -> PlainTorch | None:
    """torch, if it is loaded and neither traces nor transforms the program at the moment; else None."""
    torch: Any = sys.modules.get("torch")
    if _found and _found[-1].module is torch:
        return _found[-1].if_plain()
    if torch is None:
        return None
    try:
        _found.append(PlainTorch(torch))
    except AttributeError:  # names that another release lacks, or that are still being imported
        return None
    return _found[-1].if_plain()


def plain_tensor(result: Any) -> Any:
    """An array, or a number, as a tensor, without a copy; for those who have a view of one.

    Raises CompileError (E0504) if torch has no such element type.
    """
    array = result if type(result) is np.ndarray else np.asarray(result)
    try:
        return _found[-1].to_tensor(array)
    except TypeError:
        from einsum_front.runtime.arrays.foreign import like  # noqa: PLC0415 - few tensors; it loads OpenCL

        return like(_found[-1].to_tensor(np.zeros(0)), array)
