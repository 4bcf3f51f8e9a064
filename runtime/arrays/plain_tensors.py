"""Tensors of torch that are nothing but their entries in the memory of the host: most are, and that is soon found out.

All others are the matter of `foreign` and `foreign_states`, which say what is wrong with them. Nothing is imported.
"""

import sys
from typing import Any

import numpy as np


def plain_torch() -> Any:
    """torch, if it is loaded and neither traces nor transforms the program at the moment; else None."""
    torch: Any = sys.modules.get("torch")
    if torch is None:
        return None
    try:
        inner = torch._C
        is_special = (
            inner._get_tracing_state() is not None
            or inner._len_torch_dispatch_stack()
            or inner._len_torch_function_stack()
            or torch.autograd.forward_ad._current_level >= 0
        )
    except AttributeError:  # names that another release lacks
        return None
    return None if is_special else torch


def plain_view(tensor: Any, torch: Any) -> Any:
    """The memory of a tensor as an array of NumPy; None if it has to be looked at more closely, or is no tensor."""
    if type(tensor) is not torch.Tensor or tensor.requires_grad:
        return None
    try:
        if torch._C._functorch.is_functorch_wrapped_tensor(tensor):
            return None
        array = tensor.numpy()  # an error if it is sparse, nested, quantised, on a GPU, negated or has no entries
        if not array.flags.c_contiguous:
            pairs = zip(array.shape, array.strides, strict=True)
            needed = sum([(size - 1) * step for size, step in pairs]) + array.itemsize
        else:
            needed = array.nbytes
        is_there = needed + array.itemsize * tensor.storage_offset() <= tensor.untyped_storage().nbytes()
    except Exception:  # whatever torch raises, and names that another release lacks
        return None
    return array if is_there else None


def plain_tensor(result: Any) -> Any:
    """An array, or a number, as a tensor, without a copy; for those who have a view of one."""
    return sys.modules["torch"].from_numpy(result if type(result) is np.ndarray else np.asarray(result))
